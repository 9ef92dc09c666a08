import { isJsonObject } from '@slipway/base';

/** The value at a path of object keys; undefined when any of them is missing. */
export function readPath(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current)) return undefined;
    current = current[key];
  }
  return current;
}

/** The string at a path; empty when it is no string. */
export function readText(value: unknown, ...path: readonly string[]): string {
  const found = readPath(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The number at a path; 0 when it is no number. */
export function readNumber(value: unknown, ...path: readonly string[]): number {
  const found = readPath(value, ...path);
  return typeof found === 'number' ? found : 0;
}

/** The objects of the list at a path. */
export function readList(
  value: unknown,
  ...path: readonly string[]
): readonly Readonly<Record<string, unknown>>[] {
  const found = readPath(value, ...path);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** The object at a path; empty when it is none. */
export function readObject(
  value: unknown,
  ...path: readonly string[]
): Readonly<Record<string, unknown>> {
  const found = readPath(value, ...path);
  return isJsonObject(found) ? found : {};
}

/** The strings of the list at a path. */
export function readStrings(value: unknown, ...path: readonly string[]): readonly string[] {
  const found = readPath(value, ...path);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
