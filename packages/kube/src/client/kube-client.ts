import type { KubeList, KubeObject, ObjectMeta, Pod, Resource, Status } from '@slipway/api';

/** Which object: a bare name for cluster-scoped kinds. */
export type ObjectKey = string | { readonly namespace: string; readonly name: string };

export type ListOptions = {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** Kubernetes selector syntax. */
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Absent: the most recent state. */
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
};

export type WatchOptions = ListOptions & {
  /** The server ends the watch after this many seconds; default 300 plus jitter. */
  readonly timeoutSeconds?: number;
  /** Nothing received (bookmarks count) for this long ends the watch with a TransientError; default 90 000 ms. */
  readonly idleTimeoutMs?: number;
};

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export type PatchType = 'json' | 'merge' | 'strategic';

export type WriteOptions = {
  /** `status`, `approval`, … */
  readonly subresource?: string;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
};

export type DeleteOptions = {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly signal?: AbortSignal;
};

/** The answer to a request made by path. */
export type RawResponse = { readonly status: number; readonly body: string };

/**
 * A client of any Kubernetes API. Methods throw `ApiError` for answers of the server (see `isNotFound`,
 * `isConflict`, …) and `TransientError` for time-outs and broken connections. No call retries by itself
 * but for 429 and 503 with Retry-After; retrying belongs to the caller's work queue.
 */
export interface KubeClient {
  get<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: { signal?: AbortSignal },
  ): Promise<T>;
  /** One page at a time (100 objects by default), so that a big list is never held twice. */
  pages<T extends KubeObject>(
    resource: Resource<T>,
    options?: ListOptions & { readonly limit?: number },
  ): AsyncIterable<KubeList<T>>;
  /** All pages in one array. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<readonly T[]>;
  watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions & { readonly resourceVersion: string },
  ): AsyncIterable<WatchEvent<T>>;
  create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  /** Replaces; `metadata.resourceVersion` guards against a concurrent write. */
  update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: { readonly type: PatchType; readonly body: unknown },
    options?: WriteOptions,
  ): Promise<T>;
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<void>;
  /** Asks for the eviction of a pod; a 429 means that a PodDisruptionBudget refuses. */
  evict(
    pod: Pod & { readonly metadata: ObjectMeta },
    options?: { readonly gracePeriodSeconds?: number },
  ): Promise<void>;
  /** Any path: `/readyz`, `/version`. Throws only when no answer arrives. */
  raw(
    path: string,
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<RawResponse>;
  /** Closes idle connections and aborts what is in flight. */
  close(): void;
}

/** A failure that the server reported, with its Status. */
export type ApiFailure = Status & { readonly code: number };
