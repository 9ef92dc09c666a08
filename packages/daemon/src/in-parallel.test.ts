import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel } from './in-parallel.ts';

test('every item once', async () => {
  const seen: number[] = [];
  await inParallel(
    Array.from({ length: 30 }, (_, index) => index),
    async (item) => {
      await Promise.resolve();
      seen.push(item);
    },
  );
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    Array.from({ length: 30 }, (_, index) => index),
  );
});

test('the first failure is thrown after what was under way has ended, and nothing new begins', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: number[] = [];
  let ended = 0;
  const all = inParallel(
    Array.from({ length: 30 }, (_, index) => index),
    async (item) => {
      begun.push(item);
      if (item === 0) throw new Error('first');
      await gate.promise;
      ended += 1;
      throw new Error('second');
    },
  );
  gate.resolve();
  await assert.rejects(all, /first/);
  assert.equal(begun.length, 8);
  assert.equal(ended, 7);
});
