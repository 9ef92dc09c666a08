import { type Edit, editScript } from './edit-script.ts';

/** One line of a difference; `text` has its leading `-`, `+` or blank. */
export type DiffLine = {
  readonly kind: 'title' | 'note' | 'names' | 'hunk' | 'context' | 'removed' | 'added';
  readonly text: string;
};

const context = 3;
const noNewline = '\\ No newline at end of file';

/** Lines of a text; of one that does not end in a line break the last one is marked. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  // The mark makes `a` and `a\n` two different lines; no line has a line break of its own.
  return last === '' ? lines : [...lines, `${last}\n`];
}

type Numbered = Edit & { readonly before: number; readonly after: number };

function numbered(edits: readonly Edit[]): readonly Numbered[] {
  let before = 0;
  let after = 0;
  return edits.map((edit) => {
    if (edit.kind !== 'added') before += 1;
    if (edit.kind !== 'removed') after += 1;
    return { ...edit, before, after };
  });
}

/** Runs of edits with `context` lines around each change; runs that touch are one. */
function hunksOf(edits: readonly Numbered[]): readonly (readonly Numbered[])[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [index, { kind }] of edits.entries()) {
    if (kind === 'same') continue;
    const end = Math.min(edits.length, index + 1 + context);
    const last = hunks.at(-1);
    if (last !== undefined && index - context <= last.end) last.end = end;
    else hunks.push({ start: Math.max(0, index - context), end });
  }
  return hunks.map(({ start, end }) => edits.slice(start, end));
}

function range(lines: readonly Numbered[], side: 'before' | 'after', absent: Edit['kind']): string {
  const own = lines.filter(({ kind }) => kind !== absent);
  const [first] = own;
  // A side without lines is named by the line that it follows.
  if (first === undefined) return `${lines[0]?.[side] ?? 0},0`;
  return own.length === 1 ? String(first[side]) : `${first[side]},${own.length}`;
}

const signs = { same: ' ', removed: '-', added: '+' } as const;
const kinds = { same: 'context', removed: 'removed', added: 'added' } as const;

function linesOfEdit({ kind, line }: Numbered): readonly DiffLine[] {
  const text = `${signs[kind]}${line.replace(/\n$/, '')}`;
  const shown: DiffLine = { kind: kinds[kind], text };
  return line.endsWith('\n') ? [shown, { kind: 'note', text: noNewline }] : [shown];
}

/** The hunks of a unified diff of two texts, three lines of context around each; empty for equal texts. */
export function unifiedDiff(before: string, after: string): readonly DiffLine[] {
  const edits = numbered(editScript(linesOf(before), linesOf(after)));
  return hunksOf(edits).flatMap((hunk) => {
    const text = `@@ -${range(hunk, 'before', 'added')} +${range(hunk, 'after', 'removed')} @@`;
    return [{ kind: 'hunk', text } as const, ...hunk.flatMap(linesOfEdit)];
  });
}
