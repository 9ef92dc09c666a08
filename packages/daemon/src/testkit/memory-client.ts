import {
  apiVersionOf,
  type KubeList,
  type KubeObject,
  type Pod,
  type Resource,
  type Status,
} from '@slipway/api';
import { isJsonObject, jsonEqual } from '@slipway/base';
import {
  ApiError,
  type KubeClient,
  type ListOptions,
  type ObjectKey,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '@slipway/kube';

type Change = {
  readonly resource: string;
  readonly revision: number;
  readonly event: WatchEvent<KubeObject>;
};

/**
 * A Kubernetes API in memory, for cluster-scoped kinds and merge patches: as much as a daemon uses.
 * Keeps the client's contract (revisions, no-op writes, 404, watches that never miss a change).
 */
export class MemoryClient implements KubeClient {
  readonly #objects = new Map<string, KubeObject>();
  readonly #changes: Change[] = [];
  readonly #listeners = new Set<() => void>();
  #revision = 1;
  #closed: boolean = false;
  /** Every request, as `verb resource/name`, oldest first. */
  readonly requests: string[] = [];
  /** Thrown by every request while set. */
  failure: Error | undefined;

  async get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<T> {
    this.#request('get', resource, key);
    return this.#find(resource, key);
  }

  async *pages<T extends KubeObject>(
    resource: Resource<T>,
    options?: ListOptions,
  ): AsyncIterable<KubeList<T>> {
    yield {
      metadata: { resourceVersion: String(this.#revision) },
      items: await this.list(resource, options),
    };
  }

  async list<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions = {},
  ): Promise<readonly T[]> {
    this.#request('list', resource, '');
    const name = fieldName(options);
    return [...this.#objects]
      .filter(([key]) => key.startsWith(`${resource.plural}/`))
      .map(([, object]) => object as T)
      .filter((object) => name === undefined || object.metadata?.name === name);
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions & { readonly resourceVersion: string },
  ): AsyncIterable<WatchEvent<T>> {
    this.#request('watch', resource, '');
    const wanted = watchFilter(resource, options);
    let seen = Number(options.resourceVersion);
    while (!this.#closed && options.signal?.aborted !== true) {
      const news = this.#changes.filter(({ revision }) => revision > seen);
      if (news.length === 0) await this.#next(options.signal);
      for (const change of news) {
        seen = change.revision;
        if (wanted(change)) yield change.event as WatchEvent<T>;
      }
    }
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    const name = object.metadata?.name ?? '';
    this.#request('create', resource, name);
    if (this.#objects.has(`${resource.plural}/${name}`)) {
      throw failure(409, 'AlreadyExists', `${resource.plural} "${name}" already exists`);
    }
    return this.#store(resource, object, 'ADDED');
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    const name = object.metadata?.name ?? '';
    this.#request('update', resource, name);
    this.#find(resource, name);
    return this.#store(resource, object, 'MODIFIED');
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: { readonly type: string; readonly body: unknown },
    options: WriteOptions = {},
  ): Promise<T> {
    const verb = options.subresource === undefined ? 'patch' : `patch ${options.subresource} of`;
    this.#request(verb, resource, key);
    const before = this.#find(resource, key);
    const after = merge(before, patch.body) as T;
    return jsonEqual(before, after) ? before : this.#store(resource, after, 'MODIFIED');
  }

  async delete<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<void> {
    this.#request('delete', resource, key);
    const object = this.#find(resource, key);
    this.#objects.delete(`${resource.plural}/${nameOf(key)}`);
    this.#publish(resource, { type: 'DELETED', object });
  }

  evict(pod: Pod): Promise<void> {
    throw failure(405, 'MethodNotAllowed', `no eviction of ${pod.metadata?.name}`);
  }

  async raw(path: string) {
    return { status: 404, body: path };
  }

  close(): void {
    this.#closed = true;
    for (const listener of this.#listeners) listener();
  }

  /** Resolves when `condition` holds; it is asked after every change. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#next(undefined);
  }

  /** The stored object, without a request. */
  peek<T extends KubeObject>(resource: Resource<T>, name: string): T | undefined {
    return this.#objects.get(`${resource.plural}/${name}`) as T | undefined;
  }

  #request(verb: string, resource: Resource<unknown>, key: ObjectKey): void {
    this.requests.push(`${verb} ${resource.plural}/${nameOf(key)}`);
    if (this.failure !== undefined) throw this.failure;
  }

  #find<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T {
    const object = this.#objects.get(`${resource.plural}/${nameOf(key)}`);
    if (object !== undefined) return object as T;
    throw failure(404, 'NotFound', `${resource.plural} "${nameOf(key)}" not found`);
  }

  #store<T extends KubeObject>(resource: Resource<T>, object: T, type: 'ADDED' | 'MODIFIED'): T {
    const resourceVersion = String(this.#revision + 1);
    const stored = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      ...object,
      metadata: { ...object.metadata, resourceVersion },
    };
    this.#objects.set(`${resource.plural}/${object.metadata?.name}`, stored);
    this.#publish(resource, { type, object: stored });
    return stored;
  }

  #publish(resource: Resource<unknown>, event: WatchEvent<KubeObject>): void {
    this.#revision += 1;
    this.#changes.push({ resource: resource.plural, revision: this.#revision, event });
    for (const listener of [...this.#listeners]) listener();
  }

  #next(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#listeners.delete(end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      this.#listeners.add(end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }
}

function nameOf(key: ObjectKey): string {
  return typeof key === 'string' ? key : `${key.namespace}/${key.name}`;
}

function watchFilter(
  resource: Resource<unknown>,
  options: ListOptions,
): (change: Change) => boolean {
  const name = fieldName(options);
  return (change) => {
    if (change.resource !== resource.plural || change.event.type === 'BOOKMARK') return false;
    return name === undefined || change.event.object.metadata?.name === name;
  };
}

function fieldName(options: ListOptions): string | undefined {
  return /^metadata\.name=(.+)$/.exec(options.fieldSelector ?? '')?.[1];
}

function failure(code: number, reason: string, message: string): ApiError {
  const status: Status & { code: number } = { status: 'Failure', code, reason, message };
  return new ApiError('answer', status);
}

/** RFC 7396. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}
