import { isJsonObject } from '@slipway/base';

/**
 * `after`, built from the parts of `before` that are equal to its own. An update changes little of an
 * object: the rest of the new copy then dies young instead of growing the heap with each update.
 */
export function shareStructure<T>(before: unknown, after: T): T {
  if (Array.isArray(after)) return Array.isArray(before) ? shareArray(before, after) : after;
  if (isJsonObject(after) && isJsonObject(before)) return shareObject(before, after) as T;
  return after;
}

function shareArray<T>(before: readonly unknown[], after: T & readonly unknown[]): T {
  const items = after.map((item, index) => shareValue(before[index], item));
  const same = before.length === items.length && items.every((item, i) => item === before[i]);
  return (same ? before : items) as T;
}

function shareObject(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const result: Record<string, unknown> = {};
  const keys = Object.keys(after);
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    // Defined, not assigned: a member called __proto__ is a member like any other.
    const value = shareValue(before[key], after[key]);
    Object.defineProperty(result, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
    if (value !== before[key] || !Object.hasOwn(before, key)) same = false;
  }
  return same ? before : result;
}

function shareValue(before: unknown, after: unknown): unknown {
  // The older of two equal strings: it is in the heap's old part already.
  return before === after ? before : shareStructure(before, after);
}
