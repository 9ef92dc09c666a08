import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { durationMs, formatDuration, parseDuration } from './duration.ts';

const cases = [
  { given: '24h0m0s', want: 86_400_000 },
  { given: '1h30m', want: 5_400_000 },
  { given: '1.5s', want: 1500 },
  { given: '.5s', want: 500 },
  { given: '500ms', want: 500 },
  { given: '1us', want: 1e-3 },
  { given: '-2m', want: -120_000 },
  { given: '0', want: 0 },
  { given: '5', want: undefined },
  { given: '', want: undefined },
  { given: '1d', want: undefined },
  { given: 'h', want: undefined },
  { given: '1h 2m', want: undefined },
  { given: '2562047h', want: 2_562_047 * 3_600_000 },
  { given: '2562048h', want: undefined },
  { given: '-3000000h', want: undefined },
];
for (const { given, want } of cases) {
  test(`duration "${given}"`, () => assert.equal(parseDuration(given), want));
}

test('what validation should have refused is a bug', () => {
  assert.throws(() => durationMs('soon'), { kind: 'bug' });
});

test('what is formatted reads as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: -4e12, max: 4e12 }), (ms) => {
      assert.equal(durationMs(formatDuration(ms)), ms);
    }),
  );
});
