import { PatchError } from '@slipway/api';
import { isJsonObject } from '@slipway/base';

/** Members that Kubernetes reads from a number as well as from text: IntOrString, Quantity, durations of logs. */
const eitherNumberOrText: ReadonlySet<string> = new Set([
  'port',
  'targetPort',
  'maxSurge',
  'maxUnavailable',
  'flushFrequency',
  'infoBufferSize',
  'cpu',
  'memory',
  'ephemeral-storage',
]);

/**
 * Throws a PatchError when a member of `after` is of another type than in `before`: nothing could read the
 * object any more. Elements of a list are all of the type of its first.
 */
export function checkShape(before: unknown, after: unknown, path = ''): void {
  const [was, is] = [typeOf(before), typeOf(after)];
  if (was === 'nothing' || is === 'nothing') return;
  const isEither = isScalar(was) && isScalar(is) && eitherNumberOrText.has(lastName(path));
  if (was === is) checkMembers(before, after, path);
  else if (!isEither)
    throw new PatchError(`${path === '' ? 'the object' : path} is ${was}, and would become ${is}`);
}

function checkMembers(before: unknown, after: unknown, path: string): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    const [first] = before;
    for (const [index, element] of after.entries()) checkShape(first, element, `${path}/${index}`);
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const [name, value] of Object.entries(after))
      if (Object.hasOwn(before, name)) checkShape(before[name], value, `${path}/${name}`);
  }
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'text';
  return `a ${typeof value}`;
}

function isScalar(type: string): boolean {
  return type === 'text' || type === 'a number';
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
