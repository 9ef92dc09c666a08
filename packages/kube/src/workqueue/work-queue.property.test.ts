import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import fc from 'fast-check';
import { WorkQueue } from './work-queue.ts';

type Action =
  | { readonly kind: 'add' | 'fail'; readonly key: string }
  | { readonly kind: 'later'; readonly key: string; readonly ms: number }
  | { readonly kind: 'pass'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c', 'd');
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'fail' as const), key }),
  fc.record({ kind: fc.constant('later' as const), key, ms: fc.nat(50) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(30) }),
);

test('no key is worked on twice at once, and none that was added is forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
      async (actions, workers, durations) => {
        const clock = new VirtualClock();
        const queue = new WorkQueue({ clock });
        const running = new Set<string>();
        /** Last moment a key was asked for, and last moment work on it began. */
        const asked = new Map<string, number>();
        const begun = new Map<string, number>();
        let step = 0;
        let turn = 0;
        const work = async () => {
          for (let taken = await queue.take(); taken !== undefined; taken = await queue.take()) {
            assert.ok(!running.has(taken), `${taken} overlaps`);
            running.add(taken);
            begun.set(taken, ++step);
            await clock.sleep(durations[turn++ % durations.length] ?? 0);
            running.delete(taken);
            queue.done(taken);
          }
        };
        const pool = Array.from({ length: workers }, work);
        for (const given of actions) {
          if (given.kind === 'pass') {
            await clock.advance(0);
            await clock.advance(given.ms);
            continue;
          }
          asked.set(given.key, ++step);
          if (given.kind === 'add') queue.add(given.key);
          if (given.kind === 'fail') queue.addRateLimited(given.key);
          if (given.kind === 'later') queue.addAfter(given.key, given.ms);
        }
        // First let workers take what was just added, then let their time pass.
        await clock.advance(0);
        await clock.advance(10_000_000);
        for (const [name, when] of asked) {
          assert.ok((begun.get(name) ?? 0) > when, `${name} was not worked on after it was added`);
        }
        await queue.shutdown();
        await Promise.all(pool);
      },
    ),
    { numRuns: 200 },
  );
});
