import type { Clock } from '@slipway/base';
import type { ResourceDefinition } from '../contract.ts';
import { expired, revisionTooLarge } from '../status/status-errors.ts';
import type { Change } from '../storage/change.ts';
import type { Store } from '../storage/store.ts';
import { StoredRecord } from '../storage/stored-record.ts';
import { recordFilter } from '../verbs/list.ts';
import type { ListOptions } from '../verbs/list-options.ts';
import { resourceKey } from '../verbs/object-writer.ts';
import type { EventEncoder, EventType } from './event-text.ts';
import { Watcher, type WatchSink } from './watcher.ts';

/** What a watch wants to see. */
export type WatchRequest = {
  readonly definition: ResourceDefinition;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly options: ListOptions;
  readonly encoder: EventEncoder;
};

type Subscription = WatchRequest & {
  readonly watcher: Watcher;
  readonly accepts: (record: StoredRecord) => boolean;
};

type Match = { readonly type: EventType; readonly record: StoredRecord };

const bookmarkMs = 60_000;
/** What a timer can wait. */
const longestMs = 2 ** 31 - 1;
const shortestMs = 30 * 60_000;

/** Passes durable changes on to open watches. */
export class WatchHub {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #open = new Map<string, Set<Subscription>>();
  readonly #subscription: Disposable;
  #bookmarks: Disposable | undefined;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#subscription = store.subscribe((changes) => this.#publish(changes));
    this.#scheduleBookmarks();
  }

  /** Number of open watches. */
  get size(): number {
    let total = 0;
    for (const set of this.#open.values()) total += set.size;
    return total;
  }

  /**
   * Checks the revision that a watch starts from: throws 504 for one of the future; a compacted one is
   * reported in band, as the Status to send.
   */
  check(options: ListOptions): ReturnType<typeof expired> | undefined {
    const revision = options.revision ?? 0;
    if (revision > this.#store.revision) throw revisionTooLarge(revision, this.#store.revision);
    if (revision === 0 || options.sendInitialEvents === true || revision >= this.#store.compacted) {
      return undefined;
    }
    return expired(`too old resource version: ${revision} (${this.#store.compacted})`);
  }

  /** Opens a watch; closing the result ends it. Snapshot, replay and registration are one step. */
  watch(request: WatchRequest, sink: WatchSink): Watcher {
    const key = resourceKey(request.definition);
    const accepts = scoped(request);
    const backlog = this.#backlog(request, accepts);
    const timers: Disposable[] = [];
    const watcher = new Watcher(sink, backlog, () => {
      this.#open.get(key)?.delete(subscription);
      for (const timer of timers) timer[Symbol.dispose]();
    });
    const subscription: Subscription = { ...request, watcher, accepts };
    const set = this.#open.get(key) ?? new Set();
    this.#open.set(key, set.add(subscription));
    timers.push(this.#deadline(subscription));
    watcher.start();
    return watcher;
  }

  #deadline(subscription: Subscription): Disposable {
    const { options, watcher, encoder } = subscription;
    const chosen = shortestMs * (1 + Math.random());
    const { timeoutSeconds = 0 } = options;
    const ms = timeoutSeconds > 0 ? Math.min(timeoutSeconds * 1000, longestMs) : chosen;
    return this.#clock.timer(ms, () => {
      if (options.allowBookmarks) watcher.push(encoder.bookmark(this.#store.revision, false));
      watcher.close();
    });
  }

  #backlog(request: WatchRequest, accepts: (record: StoredRecord) => boolean): Iterator<Buffer> {
    const { definition, options, encoder } = request;
    const key = resourceKey(definition);
    const revision = options.revision ?? 0;
    const wantsState = options.sendInitialEvents ?? revision === 0;
    if (!wantsState) {
      const since = revision === 0 ? this.#store.revision : revision;
      return replay(this.#store.changesSince(key, since), accepts, encoder);
    }
    const namespace = definition.namespaced ? request.namespace : '';
    const records = [...this.#store.collection(key).range(namespace)].filter(accepts);
    const closing =
      options.sendInitialEvents === true && options.allowBookmarks
        ? this.#store.revision
        : undefined;
    return initial(records, encoder, closing);
  }

  #publish(changes: readonly Change[]): void {
    for (const change of changes) {
      for (const subscription of this.#open.get(change.record.resource) ?? []) {
        const match = classify(change, subscription.accepts);
        if (match === undefined) continue;
        subscription.watcher.push(subscription.encoder.event(match.type, match.record));
      }
    }
  }

  #scheduleBookmarks(): void {
    this.#bookmarks = this.#clock.timer(bookmarkMs, () => {
      for (const set of this.#open.values()) {
        for (const { watcher, options, encoder } of [...set]) {
          if (options.allowBookmarks) watcher.push(encoder.bookmark(this.#store.revision, false));
        }
      }
      this.#scheduleBookmarks();
    });
  }

  /** Ends all watches of a kind that is no longer served. */
  closeKind(definition: ResourceDefinition): void {
    for (const { watcher } of [...(this.#open.get(resourceKey(definition)) ?? [])]) watcher.close();
  }

  /** Ends all watches cleanly. */
  close(): void {
    this.#subscription[Symbol.dispose]();
    this.#bookmarks?.[Symbol.dispose]();
    for (const set of this.#open.values()) for (const { watcher } of [...set]) watcher.close();
  }
}

function scoped(request: WatchRequest): (record: StoredRecord) => boolean {
  const accepts = recordFilter(request.definition, request.options);
  const { namespace } = request;
  if (namespace === undefined || !request.definition.namespaced) return accepts;
  return (record) => record.namespace === namespace && accepts(record);
}

/** The last state as it was, at the revision at which it left the selection. */
function atRevision(record: StoredRecord, revision: number): StoredRecord {
  const object = JSON.parse(record.body);
  object.metadata.resourceVersion = String(revision);
  return new StoredRecord(record, revision, JSON.stringify(object));
}

/** What a change means to a selection: entering it is ADDED, leaving it is DELETED. */
function classify(change: Change, accepts: (record: StoredRecord) => boolean): Match | undefined {
  const before = change.previous !== undefined && accepts(change.previous);
  if (change.type === 'DELETED') {
    return before ? { type: 'DELETED', record: change.record } : undefined;
  }
  const after = accepts(change.record);
  if (after) return { type: before ? 'MODIFIED' : 'ADDED', record: change.record };
  if (!before || change.previous === undefined) return undefined;
  return { type: 'DELETED', record: atRevision(change.previous, change.revision) };
}

function* replay(
  changes: readonly Change[],
  accepts: (record: StoredRecord) => boolean,
  encoder: EventEncoder,
): Generator<Buffer> {
  for (const change of changes) {
    const match = classify(change, accepts);
    if (match !== undefined) yield encoder.event(match.type, match.record);
  }
}

function* initial(
  records: readonly StoredRecord[],
  encoder: EventEncoder,
  closing: number | undefined,
): Generator<Buffer> {
  for (const record of records) yield encoder.event('ADDED', record);
  if (closing !== undefined) yield encoder.bookmark(closing, true);
}
