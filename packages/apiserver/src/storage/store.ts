import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Clock, TransientError } from '@slipway/base';
import { apiserverErrorCodes } from '../errors.ts';
import type { Change } from './change.ts';
import { openDatabase, writeMeta } from './database.ts';
import { History, type Retention } from './history.ts';
import { RecordCollection } from './record-collection.ts';
import { PastView, type RecordView } from './record-view.ts';
import { StaleWrite } from './stale-write.ts';
import { type RecordKey, StoredRecord } from './stored-record.ts';

/** A write that happens only if the object is still at the revision that the writer saw. */
export type WriteRequest = RecordKey & {
  /** Revision of the object as read; undefined: it must not exist. */
  readonly expected: number | undefined;
  /** True: the object goes away, and `body` is its last state. */
  readonly remove?: boolean;
  /** Text to store, given the revision of the write. */
  readonly body: (revision: number) => string;
};

export type StoreOptions = {
  /** The database file. */
  readonly path: string;
  readonly clock: Clock;
  readonly retention?: Partial<Retention>;
};

type Pending = {
  readonly change: Change;
  readonly done: PromiseWithResolvers<StoredRecord>;
};

/** Turns of the event loop that a transaction waits for more writes at most. */
const maxGatherTurns = 8;

const emptyCollection = new RecordCollection();

/**
 * All objects, at one global revision. Live objects are in memory, the log of changes is on disk.
 * One writer: revisions are allocated here, and all writes of one turn of the event loop are one
 * transaction. Nobody sees a write (not a reader, a watcher, or its own author) before it is durable.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #history: History;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #clock: Clock;
  readonly #retention: Retention;
  readonly #collections = new Map<string, RecordCollection>();
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();
  readonly #busy = new Map<string, Promise<unknown>>();
  #queue: Pending[] = [];
  #allocated: number;
  #durable: number;

  constructor(options: StoreOptions) {
    this.#clock = options.clock;
    this.#retention = { ageMs: 300_000, rows: 20_000, ...options.retention };
    this.#database = openDatabase(options.path);
    this.#history = new History(this.#database);
    this.#put = this.#database.prepare(
      'INSERT INTO objects (resource, namespace, name, revision, body) VALUES (?,?,?,?,?) ON CONFLICT (resource, namespace, name) DO UPDATE SET revision = excluded.revision, body = excluded.body',
    );
    this.#drop = this.#database.prepare(
      'DELETE FROM objects WHERE resource = ? AND namespace = ? AND name = ?',
    );
    this.#durable = this.#load();
    this.#allocated = this.#durable;
  }

  /** Revision of the newest durable write. */
  get revision(): number {
    return this.#durable;
  }

  /** Changes up to this revision cannot be replayed any more. */
  get compacted(): number {
    return this.#history.compacted;
  }

  get(key: RecordKey): StoredRecord | undefined {
    return this.#collections.get(key.resource)?.get(key.namespace, key.name);
  }

  /** The live objects of a resource. */
  collection(resource: string): RecordCollection {
    return this.#collections.get(resource) ?? emptyCollection;
  }

  /** The objects of a resource as they were at `revision`, which is at or after `compacted`. */
  collectionAt(resource: string, revision: number): RecordView {
    if (revision >= this.#durable) return this.collection(resource);
    const undo = this.#history.undo(resource, revision);
    if (undo.size === 0) return this.collection(resource);
    return new PastView(this.collection(resource), undo);
  }

  /** Durable changes of a resource after `revision`, oldest first. */
  changesSince(resource: string, revision: number): readonly Change[] {
    if (revision >= this.#durable) return [];
    return [...this.#history.since(resource, revision)];
  }

  /** `listener` gets the changes of each transaction, in revision order, right after it is durable. */
  subscribe(listener: (changes: readonly Change[]) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /**
   * Resolves when the write is durable. Rejects with StaleWrite when the object has changed, with
   * TransientError when the disk refuses; then nothing happened.
   */
  async write(request: WriteRequest): Promise<StoredRecord> {
    const key = `${request.resource}/${request.namespace}/${request.name}`;
    for (let busy = this.#busy.get(key); busy !== undefined; busy = this.#busy.get(key)) {
      await busy.catch(() => undefined);
    }
    const current = this.get(request);
    if (current?.revision !== request.expected) throw new StaleWrite(current);
    const pending = this.#enqueue(request, current);
    this.#busy.set(key, pending.done.promise);
    return pending.done.promise;
  }

  #enqueue(request: WriteRequest, current: StoredRecord | undefined): Pending {
    const revision = this.#allocated + 1;
    const record = new StoredRecord(request, revision, request.body(revision));
    this.#allocated = revision;
    const kind = current === undefined ? 'ADDED' : 'MODIFIED';
    const type = request.remove === true ? 'DELETED' : kind;
    const change: Change = { type, revision, record, previous: current };
    const pending: Pending = { change, done: Promise.withResolvers<StoredRecord>() };
    this.#queue.push(pending);
    if (this.#queue.length === 1) setImmediate(() => this.#gather(1, 0));
    return pending;
  }

  /** One sync costs more than a few turns: waits while each turn brings new writes, but not for long. */
  #gather(seen: number, turns: number): void {
    const { length } = this.#queue;
    if (length > seen && turns < maxGatherTurns) {
      setImmediate(() => this.#gather(length, turns + 1));
    } else this.flush();
  }

  /** Commits what is queued; called by itself at the end of each turn of the event loop. */
  flush(): void {
    const batch = this.#queue;
    if (batch.length === 0) return;
    this.#queue = [];
    try {
      this.#commit(batch.map((pending) => pending.change));
    } catch (error) {
      this.#settle(batch);
      const failure = new TransientError('write storage: nothing was stored', {
        code: apiserverErrorCodes.storageWrite,
        cause: error,
      });
      for (const pending of batch) pending.done.reject(failure);
      return;
    }
    this.#publish(batch);
  }

  #commit(changes: readonly Change[]): void {
    const now = this.#clock.now();
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const change of changes) {
        const { resource, namespace, name, body } = change.record;
        if (change.type === 'DELETED') this.#drop.run(resource, namespace, name);
        else this.#put.run(resource, namespace, name, change.revision, body);
        this.#history.append(change, now);
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #publish(batch: readonly Pending[]): void {
    for (const { change } of batch) {
      const { record } = change;
      const collection = this.#writable(record.resource);
      if (change.type === 'DELETED') collection.delete(record.namespace, record.name);
      else collection.set(record);
      this.#durable = change.revision;
    }
    this.#settle(batch);
    const changes = batch.map((pending) => pending.change);
    for (const listener of [...this.#listeners]) listener(changes);
    for (const pending of batch) pending.done.resolve(pending.change.record);
  }

  #settle(batch: readonly Pending[]): void {
    for (const { change } of batch) {
      const { resource, namespace, name } = change.record;
      this.#busy.delete(`${resource}/${namespace}/${name}`);
    }
  }

  /** Drops history older than the retention; watches before that get 410. */
  async compact(): Promise<void> {
    await this.#history.compact(this.#history.target(this.#clock.now(), this.#retention));
  }

  /** Commits what is queued and closes the file. */
  close(): void {
    if (!this.#database.isOpen) return;
    this.flush();
    writeMeta(this.#database, 'clean', '1');
    this.#database.close();
  }

  #writable(resource: string): RecordCollection {
    const existing = this.#collections.get(resource);
    if (existing !== undefined) return existing;
    const created = new RecordCollection();
    this.#collections.set(resource, created);
    return created;
  }

  #load(): number {
    const select = 'SELECT * FROM objects ORDER BY resource, namespace, name';
    let top = Math.max(1, this.#history.compacted);
    for (const row of this.#database.prepare(select).iterate()) {
      const revision = Number(row['revision']);
      const resource = String(row['resource']);
      const key = { resource, namespace: String(row['namespace']), name: String(row['name']) };
      this.#writable(resource).set(new StoredRecord(key, revision, String(row['body'])));
      top = Math.max(top, revision);
    }
    const last = this.#database.prepare('SELECT MAX(revision) AS top FROM history').get()?.['top'];
    return Math.max(top, Number(last ?? 0));
  }
}
