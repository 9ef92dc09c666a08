import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { backoffDelayMs } from './backoff.ts';

test('a delay is never negative, never above the bound, and grows without jitter', () => {
  fc.assert(
    fc.property(
      fc.nat(200),
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, initialMs, random) => {
        const options = { initialMs, maxMs: 60_000 };
        const delay = backoffDelayMs(attempt, options, () => random);
        assert.ok(delay >= 0 && delay <= 60_000);
        const still = { ...options, jitter: 0 };
        assert.ok(backoffDelayMs(attempt, still) <= backoffDelayMs(attempt + 1, still));
      },
    ),
  );
});
