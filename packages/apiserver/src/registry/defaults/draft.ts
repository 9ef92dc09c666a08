import { isJsonObject } from '@slipway/base';

/** An object that is being defaulted; a copy that nobody else sees. */
export type Draft = Record<string, unknown>;

/** Sets what is absent. */
export function fill(draft: Draft, values: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(values)) {
    if (draft[key] === undefined || draft[key] === null) draft[key] = value;
  }
}

/** The object at `key`, created when it is absent. */
export function section(draft: Draft, key: string): Draft {
  const found = draft[key];
  if (isJsonObject(found)) return found;
  const created: Draft = {};
  draft[key] = created;
  return created;
}

/** The objects of the list at `key`. */
export function items(draft: Draft, key: string): readonly Draft[] {
  const found = draft[key];
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}
