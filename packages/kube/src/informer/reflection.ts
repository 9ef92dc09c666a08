import type { KubeList, KubeObject } from '@slipway/api';
import type { KubeClient, WatchEvent } from '../client/kube-client.ts';
import { readConsistently } from '../client/list-restart.ts';
import type { InformerEvent, InformerOptions } from './informer-types.ts';
import { type ObjectCache, objectKey } from './object-cache.ts';
import { shareStructure } from './structural-sharing.ts';

const pageSize = 100;

/** Carries what the server tells into a cache: whole lists and watch events. Knows no time and no retry. */
export class Reflection<T extends KubeObject> {
  readonly #client: KubeClient;
  readonly #options: InformerOptions<T>;
  readonly #cache: ObjectCache<T>;
  readonly #publish: (event: InformerEvent<T>) => void;
  #revision: string | undefined;

  constructor(
    client: KubeClient,
    options: InformerOptions<T>,
    sink: {
      readonly cache: ObjectCache<T>;
      readonly publish: (event: InformerEvent<T>) => void;
    },
  ) {
    this.#client = client;
    this.#options = options;
    this.#cache = sink.cache;
    this.#publish = sink.publish;
  }

  /** The revision from which to watch; undefined: a list is needed. */
  get revision(): string | undefined {
    return this.#revision;
  }

  /** The server can no longer tell what happened since the revision. */
  forgetRevision(): void {
    this.#revision = undefined;
  }

  /** Lists anew and publishes the difference, with those deleted that the list no longer has. */
  async list(signal: AbortSignal): Promise<void> {
    const { resource, scope } = this.#options;
    let seen = new Set<string>();
    let revision: string | undefined;
    await readConsistently(
      (limit) => this.#client.pages(resource, { ...scope, signal, limit: limit ?? 0 }),
      {
        begin: () => {
          seen = new Set();
        },
        page: (page: KubeList<T>) => {
          for (const item of page.items) seen.add(this.#store(item));
          revision = page.metadata?.resourceVersion;
        },
      },
      pageSize,
    );
    for (const key of this.#cache.keys()) {
      if (!seen.has(key)) this.#remove(key);
    }
    this.#revision = revision;
  }

  /** Watches until the server ends the watch. `onEvent` is called for each event, bookmarks included. */
  async watch(signal: AbortSignal, onEvent: () => void): Promise<void> {
    const { resource, scope } = this.#options;
    const resourceVersion = this.#revision ?? '';
    const events = this.#client.watch(resource, { ...scope, signal, resourceVersion });
    for await (const event of events) {
      this.#apply(event);
      onEvent();
    }
  }

  #apply(event: WatchEvent<T>): void {
    switch (event.type) {
      case 'BOOKMARK':
        this.#advance(event.resourceVersion);
        return;
      case 'DELETED':
        this.#remove(objectKey(event.object), event.object);
        break;
      case 'ADDED':
      case 'MODIFIED':
        this.#store(event.object);
        break;
    }
    this.#advance(event.object.metadata?.resourceVersion);
  }

  #advance(revision: string | undefined): void {
    if (revision !== undefined && revision !== '') this.#revision = revision;
  }

  #store(object: T): string {
    const key = objectKey(object);
    const before = this.#cache.get(key);
    if (before !== undefined && isSameVersion(before, object)) return key;
    const after = shareStructure(before, this.#strip(object));
    this.#cache.set(key, after);
    this.#publish(before === undefined ? { key, after } : { key, before, after });
    return key;
  }

  #remove(key: string, last?: T): void {
    const cached = this.#cache.delete(key);
    const before = cached ?? (last === undefined ? undefined : this.#strip(last));
    if (before !== undefined) this.#publish({ key, before });
  }

  #strip(object: T): T {
    const bare = withoutManagedFields(object);
    return this.#options.transform?.(bare) ?? bare;
  }
}

function isSameVersion(a: KubeObject, b: KubeObject): boolean {
  const version = a.metadata?.resourceVersion;
  // The uid too: a store that was restored may give out a revision a second time.
  return (
    version !== undefined &&
    version === b.metadata?.resourceVersion &&
    a.metadata?.uid === b.metadata?.uid
  );
}

function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}
