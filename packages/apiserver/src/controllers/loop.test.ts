import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { silentLogger, VirtualClock } from '@slipway/base';
import type { ChangeEvent, LocalAccess, ResourceDefinition } from '../contract.ts';
import { type Again, Loop } from './loop.ts';

type Handler = (definition: ResourceDefinition, event: ChangeEvent) => void;

/** A loop over nothing but changes that the test makes; each change carries the keys it concerns. */
function build(reconcile: (key: string) => Promise<Again>, settleMs?: number) {
  const clock = new VirtualClock();
  let handler: Handler | undefined;
  const access = {
    onChange(given: Handler) {
      handler = given;
      return { [Symbol.dispose]: () => (handler = undefined) };
    },
  } as unknown as LocalAccess;
  const loop = new Loop({
    name: 'test',
    access,
    clock,
    logger: silentLogger,
    seeds: () => ['seed'],
    keysOf: ({ plural }) => plural.split(','),
    reconcile,
    ...(settleMs === undefined ? {} : { settleMs }),
  });
  const change = (keys: string) =>
    handler?.({ plural: keys } as ResourceDefinition, {} as ChangeEvent);
  return { clock, loop, change };
}

suite('loop', () => {
  test('start looks at the seeds; changes that come together are one look', async () => {
    const seen: string[] = [];
    const { loop, change } = build(async (key) => {
      seen.push(key);
      return undefined;
    });
    await loop.start();
    assert.deepEqual(seen, ['seed']);
    change('a,b');
    change('a');
    await loop.idle();
    assert.deepEqual(seen, ['seed', 'a', 'b']);
    await loop.stop();
  });

  test('a failing key is tried again later and holds up no other', async () => {
    const seen: string[] = [];
    let broken = true;
    const { loop, change, clock } = build(async (key) => {
      seen.push(key);
      if (key === 'bad' && broken) throw new Error('not yet');
      return undefined;
    });
    await loop.start();
    change('bad,good');
    await loop.idle();
    assert.deepEqual(seen, ['seed', 'bad', 'good']);
    broken = false;
    await clock.advance(1000);
    await loop.idle();
    assert.deepEqual(seen, ['seed', 'bad', 'good', 'bad']);
    await loop.stop();
  });

  test('a key comes back when it asked to, unless the loop was stopped', async () => {
    let looks = 0;
    const { loop, clock } = build(async () => {
      looks += 1;
      return 500;
    });
    await loop.start();
    await clock.advance(499);
    assert.equal(looks, 1);
    await clock.advance(1);
    await loop.idle();
    assert.equal(looks, 2);
    await loop.stop();
    await clock.advance(10_000);
    assert.equal(looks, 2);
  });

  test('changes rest before they are looked at', async () => {
    const seen: string[] = [];
    const { loop, change, clock } = build(async (key) => {
      seen.push(key);
      return undefined;
    }, 100);
    await loop.start();
    change('a');
    await clock.advance(60);
    change('a');
    await clock.advance(60);
    assert.deepEqual(seen, ['seed']);
    await clock.advance(40);
    await loop.idle();
    assert.deepEqual(seen, ['seed', 'a']);
    await loop.stop();
  });
});
