import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecordCollection } from './record-collection.ts';
import { PastView } from './record-view.ts';
import type { StoredRecord } from './stored-record.ts';

const key = fc.tuple(fc.constantFrom('', 'a', 'a-b', 'b'), fc.constantFrom('w', 'x', 'y', 'z'));

function record(namespace: string, name: string, revision: number): StoredRecord {
  return { namespace, name, revision } as StoredRecord;
}

function collectionOf(records: Iterable<StoredRecord>): RecordCollection {
  const collection = new RecordCollection();
  for (const each of records) collection.set(each);
  return collection;
}

test('a view of the past reads as the collection did, from anywhere and counted', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { selector: String }),
      fc.array(fc.tuple(key, fc.boolean())),
      fc.option(fc.constantFrom('', 'a', 'b'), { nil: undefined }),
      fc.constantFrom('', 'a/', 'a/x', 'a/x\0', 'a-b/y', 'b/z'),
      (initial, changes, namespace, start) => {
        const then = collectionOf(initial.map(([place, name]) => record(place, name, 1)));
        const live = collectionOf(then.range());
        const undo = new Map<string, StoredRecord | undefined>();
        for (const [[place, name], isDeleted] of changes) {
          const path = `${place}/${name}`;
          if (!undo.has(path)) undo.set(path, live.get(place, name));
          if (isDeleted) live.delete(place, name);
          else live.set(record(place, name, 2));
        }
        const past = new PastView(live, undo);
        const want = [...then.range(namespace, start)];
        assert.deepEqual([...past.range(namespace, start)], want);
        assert.equal(past.count(namespace, start), want.length);
        assert.equal(then.count(namespace, start), want.length);
      },
    ),
  );
});
