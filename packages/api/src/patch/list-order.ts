import { isJsonObject, jsonEqual } from '@slipway/base';

/** What tells elements of a list apart: the merge key of objects, the value of scalars. */
export function identity(element: unknown, mergeKey: string): unknown {
  return mergeKey !== '' && isJsonObject(element) ? element[mergeKey] : element;
}

/** Index of the element with the identity of `element`; -1 when there is none. */
export function indexIn(list: readonly unknown[], element: unknown, mergeKey: string): number {
  const wanted = identity(element, mergeKey);
  return list.findIndex((candidate) => jsonEqual(identity(candidate, mergeKey), wanted));
}

function sortedBy(
  list: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string,
): unknown[] {
  return list
    .map((element) => ({ element, index: indexIn(order, element, mergeKey) }))
    .sort((a, b) => a.index - b.index)
    .map(({ element }) => element);
}

export type Orders = {
  /** Order that the patch asks for. */
  readonly patch: readonly unknown[];
  /** Order of the object before the patch. */
  readonly live: readonly unknown[];
  readonly mergeKey: string;
};

/**
 * Orders a merged list: elements that the patch names in the patch's order, the others in theirs, and
 * one of the others goes before one of the patch only where it was before it in the live list.
 */
export function orderElements(merged: readonly unknown[], orders: Orders): unknown[] {
  const { patch, live, mergeKey } = orders;
  const named = (element: unknown) => indexIn(patch, element, mergeKey) >= 0;
  const fromPatch = sortedBy(merged.filter(named), patch, mergeKey);
  const others = sortedBy(
    merged.filter((element) => !named(element)),
    live,
    mergeKey,
  );
  const result: unknown[] = [];
  let next = 0;
  for (const element of fromPatch) {
    const at = indexIn(live, element, mergeKey);
    while (next < others.length && at >= 0) {
      const other = indexIn(live, others[next], mergeKey);
      if (other < 0 || other > at) break;
      result.push(others[next]);
      next += 1;
    }
    result.push(element);
  }
  return [...result, ...others.slice(next)];
}
