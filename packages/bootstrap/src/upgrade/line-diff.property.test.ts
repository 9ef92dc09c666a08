import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { diffLines } from './line-diff.ts';
import { unifiedDiff } from './unified-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 });

/** Length of the longest common subsequence, by the textbook table. */
function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [index, other] of after.entries()) {
      const diagonal = (row[index] ?? 0) + 1;
      next.push(line === other ? diagonal : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** What `patch` does: the result of a unified diff applied to the lines it was made from. */
function patched(before: readonly string[], diff: readonly string[]): readonly string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff.slice(2)) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (header !== null) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1);
      result.push(...before.slice(at, start));
      at = start;
    } else if (line.startsWith('+')) result.push(line.slice(1));
    else {
      assert.equal(line.slice(1), before[at], 'the diff speaks of other lines');
      if (line.startsWith(' ')) result.push(line.slice(1));
      at += 1;
    }
  }
  return [...result, ...before.slice(at)];
}

suite('diffLines', () => {
  test('both sides can be read from it', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = diffLines(before, after);
        const side = (other: string) =>
          changes.filter(({ kind }) => kind !== other).map(({ line }) => line);
        assert.deepEqual([side('added'), side('removed')], [before, after]);
      }),
    );
  });

  test('no shorter way exists', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const same = diffLines(before, after).filter(({ kind }) => kind === 'same');
        assert.equal(same.length, longestCommon(before, after));
      }),
    );
  });
});

suite('unifiedDiff', () => {
  test('applied to the first text, it gives the second, with any context', () => {
    fc.assert(
      fc.property(lines, lines, fc.nat(4), (before, after, contextLines) => {
        const text = (content: readonly string[]) => content.map((line) => `${line}\n`).join('');
        const diff = unifiedDiff(text(before), text(after), { from: 'a', to: 'b', contextLines });
        assert.deepEqual(patched(before, diff), after);
      }),
    );
  });

  const old = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].join('\n');
  const cases = [
    { name: 'equal texts', after: old, contextLines: 3, want: [] },
    { name: 'no newline at the end', after: `${old}\n`, contextLines: 3, want: [] },
    {
      name: 'one line, no context: as kubeadm upgrade diff prints it',
      after: old.replace('5', 'five'),
      contextLines: 0,
      want: ['--- a', '+++ b', '@@ -5 +5 @@', '-5', '+five'],
    },
    {
      name: 'context',
      after: old.replace('5', 'five'),
      contextLines: 1,
      want: ['--- a', '+++ b', '@@ -4,3 +4,3 @@', ' 4', '-5', '+five', ' 6'],
    },
    {
      name: 'hunks that touch are one, others are not',
      after: old.replace('2\n', '').replace('4', 'four').replace('9', 'nine'),
      contextLines: 1,
      want: [
        ...['--- a', '+++ b', '@@ -1,5 +1,4 @@', ' 1', '-2', ' 3', '-4', '+four', ' 5'],
        ...['@@ -8,2 +7,2 @@', ' 8', '-9', '+nine'],
      ],
    },
    {
      name: 'an addition without context',
      after: `0\n${old}`,
      contextLines: 0,
      want: ['--- a', '+++ b', '@@ -0,0 +1 @@', '+0'],
    },
  ];
  for (const { name, after, contextLines, want } of cases) {
    test(name, () => {
      assert.deepEqual(unifiedDiff(old, after, { from: 'a', to: 'b', contextLines }), want);
    });
  }
});
