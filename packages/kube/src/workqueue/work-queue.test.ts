import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import { WorkQueue } from './work-queue.ts';

function queueOf(...keys: string[]) {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0.5 });
  for (const key of keys) queue.add(key);
  return { clock, queue };
}

test('keys come in the order of arrival, each once', async () => {
  const { queue } = queueOf('a', 'b', 'a', 'c', 'b');
  assert.equal(queue.length, 3);
  assert.deepEqual([await queue.take(), await queue.take(), await queue.take()], ['a', 'b', 'c']);
});

test('a key added while it is worked on comes again after it, behind those that wait', async () => {
  const { queue } = queueOf('a', 'b');
  await queue.take();
  queue.add('a');
  queue.add('a');
  assert.equal(queue.length, 1);
  queue.done('a');
  assert.deepEqual([await queue.take(), await queue.take()], ['b', 'a']);
  queue.done('a');
  assert.equal(queue.length, 0);
});

test('a waiting taker gets the key as soon as it is added', async () => {
  const { queue } = queueOf();
  const takers = [queue.take(), queue.take()];
  queue.add('a');
  queue.add('b');
  assert.deepEqual(await Promise.all(takers), ['a', 'b']);
});

test('of several delays the earliest counts, and adding now overrides them', async () => {
  const { queue, clock } = queueOf();
  queue.addAfter('a', 100);
  queue.addAfter('a', 50);
  queue.addAfter('a', 200);
  await clock.advance(49);
  assert.equal(queue.length, 0);
  await clock.advance(1);
  assert.equal(await queue.take(), 'a');
  queue.done('a');
  await clock.advance(1000);
  assert.equal(queue.length, 0);
  queue.addAfter('a', 100);
  queue.add('a');
  await queue.take();
  queue.done('a');
  await clock.advance(1000);
  assert.equal(queue.length, 0);
});

test('a failing key waits longer each time, until it is forgotten', () => {
  const { queue } = queueOf();
  const delays = [1, 2, 3, 4].map(() => queue.addRateLimited('a'));
  assert.deepEqual(delays, [5, 10, 20, 40]);
  assert.equal(queue.failures('a'), 4);
  for (let count = 0; count < 40; count += 1) queue.addRateLimited('a');
  assert.equal(queue.addRateLimited('a'), 60_000);
  assert.equal(queue.addRateLimited('b'), 5);
  queue.forget('a');
  assert.equal(queue.addRateLimited('a'), 5);
});

test('shutdown releases takers, drops what waits and waits for what runs', async () => {
  const { queue, clock } = queueOf('a', 'b');
  await queue.take();
  queue.addAfter('c', 10);
  let ended = false;
  const shutdown = queue.shutdown().then(() => {
    ended = true;
  });
  queue.add('d');
  queue.addRateLimited('e');
  await clock.advance(100_000);
  assert.equal(ended, false);
  assert.equal(await queue.take(), undefined);
  queue.done('a');
  await shutdown;
  const idle = queueOf().queue;
  const taker = idle.take();
  await Promise.all([idle.shutdown(), idle.shutdown()]);
  assert.equal(await taker, undefined);
});
