import type { StoredRecord } from './stored-record.ts';

/** One durable change. `record` of a deletion is the last state with the deletion's revision. */
export type Change = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly record: StoredRecord;
  readonly previous: StoredRecord | undefined;
};
