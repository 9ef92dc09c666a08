import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { bareGround } from '../testing/bare-ground.ts';
import { migrateFile } from './migrate-file.ts';
import { validateFile } from './settle-file.ts';

const folder = join(import.meta.dirname, 'testdata');
const seeds = ['init', 'join', 'reset', 'upgrade'].map((name) =>
  readFileSync(join(folder, `${name}-defaults.yaml`), 'utf8'),
);
const pieces = [
  '\t',
  '- ',
  ': ',
  '&a ',
  '*a',
  '<<: ',
  '{',
  ']',
  '"',
  '---\n',
  '|',
  '!!int ',
  '\u0000',
];

/** A file that was right, with a few pieces of it replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(
      fc.record({
        at: fc.nat(4000),
        removed: fc.nat(12),
        put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([seed, changes]) =>
    changes.reduce((text, { at, removed, put }) => {
      const from = at % text.length;
      return text.slice(0, from) + put + text.slice(from + removed);
    }, seed),
  );

suite('any file', () => {
  const ground = bareGround();

  test('is judged and never throws; every finding of it has a place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, fc.string()), async (text) => {
        const lines = text.split('\n').length + 1;
        for (const { line = 1, path } of await validateFile({ text, ground })) {
          assert.ok(line >= 1 && line <= lines, `${path} ${line}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('that is accepted is written so that it is accepted, and written the same', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        const first = await migrateFile({ text, ground });
        if (first.value === undefined) return;
        const second = await migrateFile({ text: first.value, ground, load: { strict: true } });
        assert.deepEqual(
          second.issues.filter(({ severity }) => severity === 'error'),
          [],
        );
        assert.equal(second.value, first.value);
      }),
      { numRuns: 200 },
    );
  });
});
