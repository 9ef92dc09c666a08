import { isJsonObject } from '@slipway/base';

/** RFC 7396: objects merge, null deletes, everything else replaces. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  // A map, and entries: a member called `__proto__` is a member like any other.
  const members = new Map<string, unknown>(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key);
    else members.set(key, mergePatch(members.get(key), value));
  }
  return Object.fromEntries(members);
}
