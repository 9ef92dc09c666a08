import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import fc from 'fast-check';
import type { Change } from './change.ts';
import { StaleWrite } from './stale-write.ts';
import { Store } from './store.ts';

const resource = '/things';
const names = ['a', 'b', 'c', 'd'];

type Step =
  | { readonly do: 'put' | 'remove'; readonly name: string; readonly stale: boolean }
  | { readonly do: 'compact' }
  | { readonly do: 'reopen' }
  | { readonly do: 'watch' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      name: fc.constantFrom(...names),
      stale: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('remove' as const),
      name: fc.constantFrom(...names),
      stale: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('compact' as const, 'reopen' as const, 'watch' as const),
    }),
  },
);

/** Every state the reference was in, by revision. */
type Model = {
  revision: number;
  now: Map<string, { revision: number; text: string }>;
  past: Map<number, Map<string, string>>;
};

function remember(model: Model): void {
  const texts = [...model.now].map(([name, { text }]) => [name, text] as const);
  model.past.set(model.revision, new Map(texts));
}

function textsOf(store: Store, revision: number): Map<string, string> {
  const records = store.collectionAt(resource, revision).range();
  return new Map([...records].map((record) => [record.name, JSON.parse(record.body).text]));
}

/** What a watcher that knew `state` knows after `changes`. */
function replay(state: Map<string, string>, changes: readonly Change[]): Map<string, string> {
  const result = new Map(state);
  for (const { type, record } of changes) {
    if (type === 'DELETED') result.delete(record.name);
    else result.set(record.name, JSON.parse(record.body).text);
  }
  return result;
}

async function write(
  store: Store,
  model: Model,
  entry: Extract<Step, { name: string }>,
  text: string,
) {
  const known = model.now.get(entry.name);
  const remove = entry.do === 'remove';
  if (remove && known === undefined) return;
  const expected = entry.stale ? (known?.revision ?? 0) + 1000 : known?.revision;
  const body = (revision: number) => JSON.stringify({ text, revision });
  const request = { resource, namespace: '', name: entry.name, expected, remove, body };
  if (entry.stale) {
    await assert.rejects(store.write(request), StaleWrite);
    return;
  }
  const record = await store.write(request);
  assert.equal(record.revision, model.revision + 1);
  model.revision = record.revision;
  if (remove) model.now.delete(entry.name);
  else model.now.set(entry.name, { revision: record.revision, text });
  remember(model);
}

function check(store: Store, model: Model): void {
  assert.equal(store.revision, model.revision);
  for (const [revision, want] of model.past) {
    if (revision < store.compacted) continue;
    assert.deepEqual(sorted(textsOf(store, revision)), sorted(want), `state at ${revision}`);
    const changes = store.changesSince(resource, revision);
    assert.deepEqual(
      sorted(replay(want, changes)),
      sorted(new Map([...model.now].map(([name, { text }]) => [name, text]))),
      `watch from ${revision}`,
    );
  }
}

function sorted(map: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

test('the store answers as a map that remembers every revision', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'store-model-'));
      const clock = new VirtualClock();
      const options = { path: join(folder, 'state.db'), clock, retention: { ageMs: 1e9, rows: 8 } };
      let store = new Store(options);
      try {
        const model: Model = { revision: store.revision, now: new Map(), past: new Map() };
        remember(model);
        for (const [index, entry] of steps.entries()) {
          if (entry.do === 'compact') await store.compact();
          else if (entry.do === 'watch') check(store, model);
          else if (entry.do === 'reopen') {
            store.close();
            store = new Store(options);
          } else await write(store, model, entry, `text ${index}`);
        }
        check(store, model);
      } finally {
        store.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 25 },
  );
});
