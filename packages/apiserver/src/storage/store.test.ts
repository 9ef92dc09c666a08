import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { SlipwayError, systemClock, VirtualClock } from '@slipway/base';
import type { Change } from './change.ts';
import { StaleWrite } from './stale-write.ts';
import { Store } from './store.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'store-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const key = (name: string) => ({ resource: '/configmaps', namespace: 'default', name });
const body = (text: string) => (revision: number) => JSON.stringify({ text, revision });

test('a write is visible, published and answered only when it is durable, in that order', async (t) => {
  const store = new Store({ path: join(folder(t), 'state.db'), clock: systemClock });
  const seen: Change[] = [];
  store.subscribe((changes) => seen.push(...changes));
  const pending = store.write({ ...key('a'), expected: undefined, body: body('1') });
  assert.equal(store.get(key('a')), undefined);
  assert.equal(seen.length, 0);
  const record = await pending;
  assert.equal(store.get(key('a')), record);
  assert.deepEqual(
    seen.map(({ type, revision }) => ({ type, revision })),
    [{ type: 'ADDED', revision: record.revision }],
  );
  store.close();
});

test('writes of one turn are one transaction with consecutive revisions', async (t) => {
  const store = new Store({ path: join(folder(t), 'state.db'), clock: systemClock });
  const batches: number[] = [];
  store.subscribe((changes) => batches.push(changes.length));
  const names = ['a', 'b', 'c'];
  const records = await Promise.all(
    names.map((name) => store.write({ ...key(name), expected: undefined, body: body(name) })),
  );
  assert.deepEqual(batches, [3]);
  const first = records[0]?.revision ?? 0;
  assert.deepEqual(
    records.map(({ revision }) => revision - first),
    [0, 1, 2],
  );
  store.close();
});

test('of two writers that saw the same revision one is refused', async (t) => {
  const store = new Store({ path: join(folder(t), 'state.db'), clock: systemClock });
  const { revision } = await store.write({ ...key('a'), expected: undefined, body: body('1') });
  const results = await Promise.allSettled(
    ['2', '3'].map((text) => store.write({ ...key('a'), expected: revision, body: body(text) })),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  const [, lost] = results;
  assert.ok(lost?.status === 'rejected' && lost.reason instanceof StaleWrite);
  assert.equal(lost.reason.current, store.get(key('a')));
  store.close();
});

test('revisions go on after a restart, deletions included', async (t) => {
  const path = join(folder(t), 'state.db');
  const first = new Store({ path, clock: systemClock });
  const made = await first.write({ ...key('a'), expected: undefined, body: body('1') });
  const gone = { ...key('a'), expected: made.revision, remove: true, body: body('1') };
  const { revision } = await first.write(gone);
  first.close();
  const second = new Store({ path, clock: systemClock });
  assert.equal(second.revision, revision);
  const next = await second.write({ ...key('b'), expected: undefined, body: body('2') });
  assert.equal(next.revision, revision + 1);
  assert.deepEqual(
    second.changesSince('/configmaps', made.revision).map(({ type }) => type),
    ['DELETED', 'ADDED'],
  );
  second.close();
});

test('compaction keeps young history and moves the point up', async (t) => {
  const clock = new VirtualClock();
  const path = join(folder(t), 'state.db');
  const store = new Store({ path, clock, retention: { ageMs: 1000, rows: 100 } });
  const old = await store.write({ ...key('a'), expected: undefined, body: body('1') });
  await clock.advance(5000);
  const young = await store.write({ ...key('b'), expected: undefined, body: body('2') });
  await store.compact();
  assert.equal(store.compacted, old.revision);
  assert.deepEqual(
    store.changesSince('/configmaps', store.compacted).map(({ revision }) => revision),
    [young.revision],
  );
  assert.ok(store.get(key('a')) !== undefined);
  store.close();
});

test('compaction bounds the rows whatever their age', async (t) => {
  const path = join(folder(t), 'state.db');
  const store = new Store({ path, clock: systemClock, retention: { ageMs: 1e9, rows: 10 } });
  for (let index = 0; index < 25; index += 1) {
    await store.write({ ...key(`n${index}`), expected: undefined, body: body('x') });
  }
  await store.compact();
  assert.equal(store.changesSince('/configmaps', store.compacted).length, 10);
  store.close();
});

const refusals: readonly { name: string; make: (path: string) => Disposable; code: string }[] = [
  {
    name: 'a file that another one has open',
    make: (path) => {
      const other = new Store({ path, clock: systemClock });
      return { [Symbol.dispose]: () => other.close() };
    },
    code: 'apiserver.storage.locked',
  },
  {
    name: 'a file that is no database',
    make: (path) => {
      writeFileSync(path, 'not a database, but long enough to be one: '.repeat(100));
      return { [Symbol.dispose]: () => undefined };
    },
    code: 'apiserver.storage.corrupt',
  },
  {
    name: 'a file of a newer program',
    make: (path) => {
      const database = new DatabaseSync(path);
      database.exec('PRAGMA user_version=99');
      database.close();
      return { [Symbol.dispose]: () => undefined };
    },
    code: 'apiserver.storage.newer-schema',
  },
];

for (const { name, make, code } of refusals) {
  test(`refuses ${name}`, (t) => {
    const path = join(folder(t), 'state.db');
    using _made = make(path);
    assert.throws(
      () => new Store({ path, clock: systemClock }),
      (error) => error instanceof SlipwayError && error.code === code,
    );
  });
}
