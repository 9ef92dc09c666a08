import { diffLines, type LineChange } from './line-diff.ts';

export type UnifiedDiffOptions = {
  /** Names of the two sides. */
  readonly from: string;
  readonly to: string;
  /** Equal lines around every change; default 3. */
  readonly contextLines?: number;
};

/** A change with where it stands: how many lines of either side are before it. */
type PlacedChange = LineChange & { readonly before: number; readonly after: number };

const marks = { same: ' ', removed: '-', added: '+' } as const;

function placed(changes: readonly LineChange[]): readonly PlacedChange[] {
  let before = 0;
  let after = 0;
  return changes.map((change) => {
    const at = { ...change, before, after };
    if (change.kind !== 'added') before += 1;
    if (change.kind !== 'removed') after += 1;
    return at;
  });
}

/** From and to which changes a hunk goes; hunks that touch are one. */
function hunkRanges(
  changes: readonly LineChange[],
  context: number,
): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const [index, { kind }] of changes.entries()) {
    if (kind === 'same') continue;
    const start = Math.max(0, index - context);
    const end = Math.min(changes.length, index + context + 1);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}

/** `12`, `12,3`, or `11,0` for nothing after line 11: the form of POSIX diff -u. */
function position(linesBefore: number, length: number): string {
  if (length === 1) return String(linesBefore + 1);
  return `${length === 0 ? linesBefore : linesBefore + 1},${length}`;
}

function hunk(changes: readonly PlacedChange[]): readonly string[] {
  const [first] = changes;
  const removed = changes.filter(({ kind }) => kind !== 'added').length;
  const added = changes.filter(({ kind }) => kind !== 'removed').length;
  const at = `-${position(first?.before ?? 0, removed)} +${position(first?.after ?? 0, added)}`;
  return [`@@ ${at} @@`, ...changes.map(({ kind, line }) => `${marks[kind]}${line}`)];
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/**
 * What changes from one text to the other, as lines in the form of `diff -u`; none when the texts have
 * the same lines. A missing newline at the end does not count.
 */
export function unifiedDiff(
  before: string,
  after: string,
  { from, to, contextLines = 3 }: UnifiedDiffOptions,
): readonly string[] {
  const changes = placed(diffLines(linesOf(before), linesOf(after)));
  const ranges = hunkRanges(changes, contextLines);
  if (ranges.length === 0) return [];
  const hunks = ranges.flatMap(([start, end]) => hunk(changes.slice(start, end)));
  return [`--- ${from}`, `+++ ${to}`, ...hunks];
}
