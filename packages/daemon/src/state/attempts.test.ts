import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FailedAttempts, isRebootLoop, rebootWindowMs, retryDelayMs } from './attempts.ts';

const failed = (count: number, lastAtMs = 1_000_000): FailedAttempts => ({
  config: 'a',
  forced: false,
  failure: { code: 'daemon.write-failed', message: 'x' },
  count,
  lastAtMs,
  held: false,
});

describe('the delay before another try', () => {
  const cases = [
    { name: 'first', count: 1, afterMs: 0, want: 5_000 },
    { name: 'second', count: 2, afterMs: 0, want: 10_000 },
    { name: 'tenth is capped', count: 10, afterMs: 0, want: 300_000 },
    { name: 'some of it has passed', count: 1, afterMs: 4_000, want: 1_000 },
    { name: 'all of it has passed', count: 1, afterMs: 60_000, want: 0 },
    { name: 'the clock went back a year', count: 1, afterMs: -31_536_000_000, want: 5_000 },
  ];
  for (const { name, count, afterMs, want } of cases) {
    test(name, () => assert.equal(retryDelayMs(failed(count), 1_000_000 + afterMs), want));
  }
});

test('three reboots for one configuration within the window are a loop', () => {
  const at = (config: string, atMs: number) => ({ config, atMs });
  const three = [at('a', 0), at('a', 1000), at('a', 2000)];
  assert.equal(isRebootLoop(three, 'a', 3000), true);
  assert.equal(isRebootLoop(three, 'b', 3000), false);
  assert.equal(isRebootLoop(three.slice(1), 'a', 3000), false);
  assert.equal(isRebootLoop(three, 'a', rebootWindowMs + 500), false);
});
