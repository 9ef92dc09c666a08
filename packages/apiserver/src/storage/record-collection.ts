import type { RecordView } from './record-view.ts';
import type { StoredRecord } from './stored-record.ts';

/** The live objects of one resource, in the order of lists: by namespace, then by name. */
export class RecordCollection implements RecordView {
  readonly #records = new Map<string, StoredRecord>();
  readonly #keys: string[] = [];

  get size(): number {
    return this.#records.size;
  }

  get(namespace: string, name: string): StoredRecord | undefined {
    return this.#records.get(`${namespace}/${name}`);
  }

  set(record: StoredRecord): void {
    const key = `${record.namespace}/${record.name}`;
    if (!this.#records.has(key)) this.#keys.splice(this.#firstFrom(key), 0, key);
    this.#records.set(key, record);
  }

  delete(namespace: string, name: string): void {
    const key = `${namespace}/${name}`;
    if (this.#records.delete(key)) this.#keys.splice(this.#firstFrom(key), 1);
  }

  /** All records, or those of one namespace, from key `start` (inclusive) on. */
  *range(namespace?: string, start = ''): Generator<StoredRecord> {
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    let index = this.#firstFrom(start > prefix ? start : prefix);
    for (; index < this.#keys.length; index += 1) {
      const key = this.#keys[index];
      if (key === undefined || !key.startsWith(prefix)) return;
      const record = this.#records.get(key);
      if (record !== undefined) yield record;
    }
  }

  /** How many records `range` would give. */
  count(namespace?: string, start = ''): number {
    // '0' follows '/': the first key after those of the namespace.
    const end = namespace === undefined ? this.#keys.length : this.#firstFrom(`${namespace}0`);
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    return Math.max(0, end - this.#firstFrom(start > prefix ? start : prefix));
  }

  /** True when there is a record with this key: `namespace/name`. */
  hasKey(key: string): boolean {
    return this.#records.has(key);
  }

  #firstFrom(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
