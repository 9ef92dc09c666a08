import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { editScript } from './edit-script.ts';
import { unifiedDiff } from './unified-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 25 });
const text = fc
  .tuple(lines, fc.boolean())
  .map(([all, ends]) => all.join('\n') + (ends ? '\n' : ''));

suite('unified diff', () => {
  test('the edits lead from one to the other, and never undo each other', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = editScript(before, after);
        const side = (kind: string) =>
          edits.filter((edit) => edit.kind !== kind).map(({ line }) => line);
        assert.deepEqual(side('added'), before);
        assert.deepEqual(side('removed'), after);
      }),
    );
  });

  test('as few edits as the longest common part leaves', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const same = editScript(before, after).filter(({ kind }) => kind === 'same').length;
        assert.equal(same, longestCommon(before, after));
      }),
    );
  });

  const missing = ['diff', 'patch'].filter(
    (program) => spawnSync(program, ['--version']).status !== 0,
  );
  const without = missing.length === 0 ? false : `not installed: ${missing.join(', ')}`;
  test('reads as diff -u prints it', { skip: without }, () => {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-diff-'));
    const [left, right] = [join(directory, 'a'), join(directory, 'b')];
    fc.assert(
      fc.property(text, text, (before, after) => {
        writeFileSync(left, before);
        writeFileSync(right, after);
        const { stdout } = spawnSync('diff', ['-u', left, right], { encoding: 'utf8' });
        const hunks = (all: string) =>
          all.split('\n').filter((line) => line.startsWith('@@')).length;
        const own = unifiedDiff(before, after)
          .map((line) => line.text)
          .join('\n');
        assert.equal(own === '', stdout === '');
        if (own === '') return;
        const patch = `--- a\n+++ b\n${own}\n`;
        const { status } = spawnSync('patch', ['-s', '-o', join(directory, 'c'), left], {
          input: patch,
        });
        assert.equal(status, 0, patch);
        assert.equal(readFileSync(join(directory, 'c'), 'utf8'), after, patch);
        assert.ok(hunks(own) > 0);
      }),
      { numRuns: 25 },
    );
    rmSync(directory, { recursive: true });
  });

  test('texts without anything in common are replaced, quickly', () => {
    const many = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}`);
    assert.equal(editScript(many('a'), many('b')).length, 40_000);
  });

  test('golden', () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12';
    const after = '1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n';
    assert.deepEqual(
      unifiedDiff(before, after).map((line) => line.text),
      [
        '@@ -2,11 +2,11 @@',
        ' 2',
        ' 3',
        ' 4',
        '-5',
        '+five',
        ' 6',
        ' 7',
        ' 8',
        ' 9',
        ' 10',
        ' 11',
        '-12',
        '\\ No newline at end of file',
        '+12',
      ],
    );
    assert.deepEqual(
      unifiedDiff('', 'a\n').map((line) => line.text),
      ['@@ -0,0 +1 @@', '+a'],
    );
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const left of a) {
    const next = [0];
    for (const [index, right] of b.entries())
      next.push(
        left === right ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
