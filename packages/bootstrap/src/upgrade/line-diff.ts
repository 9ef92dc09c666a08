/** One line of a comparison, in the order in which it is read. */
export type LineChange = { readonly kind: 'same' | 'removed' | 'added'; readonly line: string };

/**
 * The shortest way from one list of lines to another, removals before additions where both fit. The
 * greedy algorithm of E. W. Myers, "An O(ND) difference algorithm and its variations" (1986): `reach[k]`
 * is how far one comes in `before` on diagonal k with d edits; the reaches of every d lead back.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly LineChange[] {
  const trace = forward(before, after);
  return backward(before, after, trace);
}

type Reach = ReadonlyMap<number, number>;

/** With `edits` steps the best way onto diagonal k comes from above (an addition), else from the left. */
function comesFromAbove(reach: Reach, k: number, edits: number): boolean {
  if (k === -edits) return true;
  return k !== edits && (reach.get(k - 1) ?? 0) < (reach.get(k + 1) ?? 0);
}

function forward(before: readonly string[], after: readonly string[]): readonly Reach[] {
  const trace: Reach[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let edits = 0; ; edits += 1) {
    trace.push(reach);
    const next = new Map(reach);
    for (let k = -edits; k <= edits; k += 2) {
      const start = comesFromAbove(next, k, edits)
        ? (next.get(k + 1) ?? 0)
        : (next.get(k - 1) ?? 0) + 1;
      const x = afterEqualLines(before, after, start, k);
      next.set(k, x);
      if (x >= before.length && x - k >= after.length) return trace;
    }
    reach = next;
  }
}

function afterEqualLines(
  before: readonly string[],
  after: readonly string[],
  start: number,
  k: number,
): number {
  let x = start;
  while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
  return x;
}

/** Equal lines of `before` from `start` to `end`, last first. */
function sameLines(before: readonly string[], start: number, end: number): readonly LineChange[] {
  const lines = before.slice(start, end).reverse();
  return lines.map((line) => ({ kind: 'same', line }));
}

function backward(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Reach[],
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const reach = trace[edits] ?? new Map<number, number>();
    const isAddition = comesFromAbove(reach, x - y, edits);
    const previous = x - y + (isAddition ? 1 : -1);
    const fromX = reach.get(previous) ?? 0;
    const fromY = fromX - previous;
    changes.push(...sameLines(before, isAddition ? fromX : fromX + 1, x));
    if (isAddition) changes.push({ kind: 'added', line: after[fromY] ?? '' });
    else changes.push({ kind: 'removed', line: before[fromX] ?? '' });
    x = fromX;
    y = fromY;
  }
  return [...changes, ...sameLines(before, 0, x)].reverse();
}
