import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Change } from './change.ts';
import { readMeta, writeMeta } from './database.ts';
import { type RecordKey, StoredRecord } from './stored-record.ts';

/** How much history a compaction keeps. */
export type Retention = {
  /** Changes younger than this stay; default 300 000. */
  readonly ageMs: number;
  /** But never more than this many; default 20 000. */
  readonly rows: number;
};

const sliceRows = 500;

type Row = Readonly<Record<string, unknown>>;

function keyOf(row: Row): RecordKey {
  return {
    resource: String(row['resource']),
    namespace: String(row['namespace']),
    name: String(row['name']),
  };
}

function previousOf(row: Row): StoredRecord | undefined {
  if (row['previous'] === null) return undefined;
  return new StoredRecord(keyOf(row), Number(row['previous_revision']), String(row['previous']));
}

function changeOf(row: Row): Change {
  const revision = Number(row['revision']);
  return {
    type: row['type'] as Change['type'],
    revision,
    record: new StoredRecord(keyOf(row), revision, String(row['body'])),
    previous: previousOf(row),
  };
}

/** The changes since the compaction point, on disk: what watches resume from and old pages are rebuilt with. */
export class History {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #since: StatementSync;
  #compacted: number;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare(
      'INSERT INTO history (revision, resource, namespace, name, type, body, previous_revision, previous, written) VALUES (?,?,?,?,?,?,?,?,?)',
    );
    this.#since = database.prepare(
      'SELECT * FROM history WHERE resource = ? AND revision > ? ORDER BY revision',
    );
    this.#compacted = Number(readMeta(database, 'compacted') ?? 0);
  }

  /** Changes up to this revision are gone. */
  get compacted(): number {
    return this.#compacted;
  }

  /** Part of the caller's transaction. */
  append(change: Change, writtenMs: number): void {
    const { record, previous } = change;
    this.#insert.run(
      change.revision,
      record.resource,
      record.namespace,
      record.name,
      change.type,
      record.body,
      previous?.revision ?? null,
      previous?.body ?? null,
      writtenMs,
    );
  }

  /** Changes of one resource after `revision`, oldest first. */
  *since(resource: string, revision: number): Generator<Change> {
    for (const row of this.#since.iterate(resource, revision)) yield changeOf(row as Row);
  }

  /** State before the first change after `revision`, per changed object; undefined: it did not exist. */
  undo(resource: string, revision: number): Map<string, StoredRecord | undefined> {
    const before = new Map<string, StoredRecord | undefined>();
    for (const change of this.since(resource, revision)) {
      const key = `${change.record.namespace}/${change.record.name}`;
      if (!before.has(key)) before.set(key, change.previous);
    }
    return before;
  }

  /** Highest revision that a compaction now would drop. */
  target(nowMs: number, retention: Retention): number {
    const byAge = this.#database
      .prepare('SELECT MAX(revision) AS top FROM history WHERE written < ?')
      .get(nowMs - retention.ageMs)?.['top'];
    const byRows = this.#database
      .prepare('SELECT revision AS top FROM history ORDER BY revision DESC LIMIT 1 OFFSET ?')
      .get(retention.rows)?.['top'];
    return Math.max(Number(byAge ?? 0), Number(byRows ?? 0));
  }

  /** Moves the compaction point first and deletes afterwards, in slices, so that writes get their turn. */
  async compact(target: number): Promise<void> {
    if (target <= this.#compacted) return;
    writeMeta(this.#database, 'compacted', String(target));
    this.#compacted = target;
    const drop = this.#database.prepare(
      'DELETE FROM history WHERE revision IN (SELECT revision FROM history WHERE revision <= ? ORDER BY revision LIMIT ?)',
    );
    for (;;) {
      if (!this.#database.isOpen) return;
      const { changes } = drop.run(target, sliceRows);
      if (Number(changes) < sliceRows) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#database.isOpen) this.#database.exec('PRAGMA incremental_vacuum(1000)');
  }
}
