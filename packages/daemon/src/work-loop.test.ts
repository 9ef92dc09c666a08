import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import { WorkLoop } from './work-loop.ts';

test('rounds come when due, at once when woken, and never faster than allowed', async () => {
  const clock = new VirtualClock();
  const rounds: number[] = [];
  const loop = new WorkLoop({
    clock,
    minIntervalMs: 50,
    work: async () => {
      rounds.push(clock.monotonic());
      return 60_000;
    },
  });
  loop.start();
  await clock.advance(0);
  await clock.advance(100);
  assert.deepEqual(rounds, [0]);
  loop.wake();
  loop.wake();
  await clock.advance(0);
  await clock.advance(10);
  assert.deepEqual(rounds, [0, 100]);
  loop.wake();
  await clock.advance(60);
  assert.deepEqual(rounds, [0, 100, 150]);
  await clock.advance(60_000);
  assert.equal(rounds.length, 4);
  await loop.stop();
  loop.wake();
  await clock.advance(120_000);
  assert.equal(rounds.length, 4);
});

test('a wish during a round makes one more round', async () => {
  const clock = new VirtualClock();
  const gate = Promise.withResolvers<void>();
  let rounds = 0;
  const loop = new WorkLoop({
    clock,
    minIntervalMs: 50,
    work: async () => {
      rounds += 1;
      if (rounds === 1) await gate.promise;
      return 60_000;
    },
  });
  loop.start();
  loop.wake();
  loop.wake();
  assert.equal(rounds, 1);
  gate.resolve();
  await clock.advance(0);
  await clock.advance(1000);
  assert.equal(rounds, 2);
  await loop.stop();
});
