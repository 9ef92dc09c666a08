/** One step from one list of lines to another. */
export type Edit = { readonly kind: 'same' | 'removed' | 'added'; readonly line: string };

/** Edits that are looked for before lines are simply replaced: bounds time and memory for unlike texts. */
const maxEdits = 1500;

/** A shortest list of edits that makes `after` of `before`; for texts that have little in common any list. */
export function editScript(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const limit = Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < limit - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (line: string): Edit => ({ kind: 'same', line });
  const middle = shortest(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return [
    ...before.slice(0, start).map(same),
    ...middle,
    ...before.slice(before.length - end).map(same),
  ];
}

function replaced(before: readonly string[], after: readonly string[]): readonly Edit[] {
  return [
    ...before.map((line): Edit => ({ kind: 'removed', line })),
    ...after.map((line): Edit => ({ kind: 'added', line })),
  ];
}

/**
 * The greedy algorithm of Myers: furthest points on each diagonal after 0, 1, 2… edits, then the way
 * back. `reached[d]` holds, by diagonal, how far into `before` one gets with d edits.
 */
function shortest(before: readonly string[], after: readonly string[]): readonly Edit[] {
  if (before.length === 0 || after.length === 0) return replaced(before, after);
  const reached: Map<number, number>[] = [];
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    const round = nextRound(reached.at(-1), edits, before, after);
    reached.push(round);
    if (round.get(before.length - after.length) === before.length)
      return wayBack(reached, before, after);
  }
  return replaced(before, after);
}

function nextRound(
  previous: ReadonlyMap<number, number> | undefined,
  edits: number,
  before: readonly string[],
  after: readonly string[],
): Map<number, number> {
  const round = new Map<number, number>();
  for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
    let x = previous === undefined ? 0 : startOf(previous, diagonal);
    if (x > before.length || x - diagonal > after.length) continue;
    while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal])
      x += 1;
    round.set(diagonal, x);
  }
  return round;
}

/** Where a diagonal begins: one line further by a removal, or at the same one by an addition. */
function startOf(previous: ReadonlyMap<number, number>, diagonal: number): number {
  const removal = (previous.get(diagonal - 1) ?? -2) + 1;
  const addition = previous.get(diagonal + 1) ?? -1;
  const start = Math.max(removal, addition);
  return start < 0 ? Number.POSITIVE_INFINITY : start;
}

function wayBack(
  reached: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): readonly Edit[] {
  const edits: Edit[] = [];
  let x = before.length;
  let diagonal = before.length - after.length;
  for (let round = reached.length - 1; round >= 0; round -= 1) {
    const previous = reached[round - 1];
    const start = previous === undefined ? 0 : startOf(previous, diagonal);
    for (; x > start; x -= 1) edits.push({ kind: 'same', line: before[x - 1] ?? '' });
    if (previous === undefined) break;
    const isRemoval = (previous.get(diagonal - 1) ?? -2) + 1 === start;
    if (isRemoval) {
      edits.push({ kind: 'removed', line: before[x - 1] ?? '' });
      x -= 1;
      diagonal -= 1;
    } else {
      edits.push({ kind: 'added', line: after[x - diagonal - 1] ?? '' });
      diagonal += 1;
    }
  }
  return removalsFirst(edits.reverse());
}

/** Within a run of changes their order is free: people expect what went before what came. */
function removalsFirst(edits: readonly Edit[]): readonly Edit[] {
  const ordered: Edit[] = [];
  let added: Edit[] = [];
  for (const edit of edits) {
    if (edit.kind === 'added') added.push(edit);
    else if (edit.kind === 'removed') ordered.push(edit);
    else {
      ordered.push(...added, edit);
      added = [];
    }
  }
  return [...ordered, ...added];
}
