import type { RecordCollection } from './record-collection.ts';
import type { StoredRecord } from './stored-record.ts';

/** The objects of one resource at one revision, in the order of lists: by namespace, then by name. */
export interface RecordView {
  get(namespace: string, name: string): StoredRecord | undefined;
  /** All records, or those of one namespace, from key `start` (inclusive) on. */
  range(namespace?: string, start?: string): Generator<StoredRecord>;
  /** How many records `range` would give. */
  count(namespace?: string, start?: string): number;
}

/** Records by key as they were before they changed; undefined: they did not exist. */
type Undo = ReadonlyMap<string, StoredRecord | undefined>;

/**
 * A collection as it was: what is live now, with later changes taken back while reading. Nothing is
 * copied, so that each page of a long list costs what it shows.
 */
export class PastView implements RecordView {
  readonly #live: RecordCollection;
  readonly #undo: Undo;
  readonly #keys: readonly string[];

  constructor(live: RecordCollection, undo: Undo) {
    this.#live = live;
    this.#undo = undo;
    this.#keys = [...undo.keys()].sort(compareKeys);
  }

  get(namespace: string, name: string): StoredRecord | undefined {
    const key = `${namespace}/${name}`;
    return this.#undo.has(key) ? this.#undo.get(key) : this.#live.get(namespace, name);
  }

  *range(namespace?: string, start = ''): Generator<StoredRecord> {
    const changed = this.#changedKeys(namespace, start);
    let next = 0;
    for (const record of this.#live.range(namespace, start)) {
      const key = keyOf(record);
      for (; next < changed.length && (changed[next] ?? '') < key; next += 1) {
        yield* this.#before(changed[next] ?? '');
      }
      if (!this.#undo.has(key)) yield record;
    }
    for (; next < changed.length; next += 1) yield* this.#before(changed[next] ?? '');
  }

  count(namespace?: string, start = ''): number {
    let count = this.#live.count(namespace, start);
    for (const key of this.#changedKeys(namespace, start)) {
      if (this.#live.hasKey(key)) count -= 1;
      if (this.#undo.get(key) !== undefined) count += 1;
    }
    return count;
  }

  #changedKeys(namespace: string | undefined, start: string): readonly string[] {
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    return this.#keys.filter((key) => key >= start && key.startsWith(prefix));
  }

  *#before(key: string): Generator<StoredRecord> {
    const record = this.#undo.get(key);
    if (record !== undefined) yield record;
  }
}

function keyOf(record: StoredRecord): string {
  return `${record.namespace}/${record.name}`;
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
