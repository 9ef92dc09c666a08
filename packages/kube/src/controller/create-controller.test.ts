import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Component, createLogger, TerminalError, VirtualClock } from '@slipway/base';
import type { Outcome, Reconcile } from './controller-types.ts';
import { createController, type KeySource, periodicSource } from './create-controller.ts';

const done: Outcome = { kind: 'done' };

class Bell implements KeySource {
  ring: (key: string) => void = () => undefined;
  watch(wake: (key: string) => void): Disposable {
    this.ring = wake;
    return {
      [Symbol.dispose]: () => {
        this.ring = () => undefined;
      },
    };
  }
}

async function run(reconcile: Reconcile, workers = 1) {
  const clock = new VirtualClock();
  const bell = new Bell();
  const logged: string[] = [];
  const logger = createLogger((line) => logged.push(JSON.parse(line).message));
  const backoff = { initialMs: 100, maxMs: 1000, jitter: 0 };
  const options = { name: 'test', sources: [bell], reconcile, workers, clock, logger, backoff };
  const controller: Component = createController(options);
  await controller.start();
  return { clock, bell, logged, controller };
}

test('the four outcomes', async () => {
  const terminal = new TerminalError('render pool: it names no config', { code: 'test' });
  const table: { name: string; given: () => Outcome; after: number[]; logged: string[] }[] = [
    { name: 'done', given: () => done, after: [1, 1, 1], logged: [] },
    {
      name: 'requeue',
      given: () => ({ kind: 'requeue', afterMs: 500 }),
      after: [1, 2, 3],
      logged: [],
    },
    {
      name: 'error: at 0, 100, 300, 700, …',
      given: () => {
        throw new Error('no luck');
      },
      after: [1, 3, 4],
      logged: Array(4).fill('reconcile failed'),
    },
    {
      name: 'terminal',
      given: () => {
        throw terminal;
      },
      after: [1, 1, 1],
      logged: ['reconcile refused'],
    },
  ];
  for (const { name, given, after, logged } of table) {
    let calls = 0;
    const kit = await run(async () => {
      calls += 1;
      return given();
    });
    kit.bell.ring('key');
    const counts: number[] = [];
    for (const ms of [0, 500, 500]) {
      await kit.clock.advance(ms);
      counts.push(calls);
    }
    assert.deepEqual(counts, after, name);
    assert.deepEqual(kit.logged, logged, name);
    await kit.controller.stop();
  }
});

test('a reconcile that throws at once, without a promise, does not end the worker', async () => {
  const seen: string[] = [];
  const kit = await run((key) => {
    seen.push(key);
    throw new TerminalError('broken', { code: 'test' });
  });
  kit.bell.ring('a');
  kit.bell.ring('b');
  await kit.clock.advance(0);
  assert.deepEqual(seen, ['a', 'b']);
  await kit.controller.stop();
});

test('keys run side by side up to the number of workers, one key never', async () => {
  let most = 0;
  const running: string[] = [];
  const started: string[] = [];
  const kit = await run(async (key, signal) => {
    assert.ok(!running.includes(key));
    running.push(key);
    started.push(key);
    most = Math.max(most, running.length);
    await kit.clock.sleep(10, signal);
    running.splice(running.indexOf(key), 1);
    return done;
  }, 2);
  for (const key of ['a', 'b', 'c']) kit.bell.ring(key);
  await kit.clock.advance(5);
  kit.bell.ring('a');
  await kit.clock.advance(100);
  assert.equal(most, 2);
  assert.deepEqual(started, ['a', 'b', 'c', 'a']);
  await kit.controller.stop();
});

test('stop aborts what runs, waits for it, logs nothing and lets nothing start', async () => {
  const cleanedUp = Promise.withResolvers<void>();
  let calls = 0;
  const kit = await run(async (_key, signal) => {
    calls += 1;
    await kit.clock.sleep(1_000_000, signal).catch(async (reason) => {
      await cleanedUp.promise;
      throw reason;
    });
    return done;
  });
  kit.bell.ring('a');
  kit.bell.ring('b');
  await kit.clock.advance(0);
  let stopped = false;
  const stopping = kit.controller.stop().then(() => {
    stopped = true;
  });
  await kit.clock.advance(0);
  assert.equal(stopped, false);
  cleanedUp.resolve();
  await stopping;
  kit.bell.ring('c');
  await kit.clock.advance(1000);
  assert.equal(calls, 1);
  assert.deepEqual(kit.logged, []);
  await kit.controller.stop();
});

test('a periodic source wakes at the start and at each interval until disposed', async () => {
  const clock = new VirtualClock();
  const woken: string[] = [];
  const subscription = periodicSource(clock, 1000, () => ['x', 'y']).watch((key) =>
    woken.push(key),
  );
  await clock.advance(2500);
  subscription[Symbol.dispose]();
  await clock.advance(5000);
  assert.deepEqual(woken, ['x', 'y', 'x', 'y', 'x', 'y']);
});
