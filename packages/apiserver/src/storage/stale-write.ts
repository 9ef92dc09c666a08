import type { StoredRecord } from './stored-record.ts';

/** The object is not at the revision that the writer had read; `current` is what is there now. */
export class StaleWrite extends Error {
  readonly current: StoredRecord | undefined;

  constructor(current: StoredRecord | undefined) {
    super('write object: it has changed');
    this.name = 'StaleWrite';
    this.current = current;
  }
}
