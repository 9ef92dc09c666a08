import {
  apiVersionOf,
  type KubeList,
  type KubeObject,
  type Pod,
  pods,
  type Resource,
} from '@slipway/api';
import { type Clock, isJsonObject, jsonEqual } from '@slipway/base';
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
  readonly plural: string;
  readonly revision: number;
  readonly event: Exclude<WatchEvent<KubeObject>, { type: 'BOOKMARK' }>;
};

function nameOf(key: ObjectKey): string {
  return typeof key === 'string' ? key : `${key.namespace}/${key.name}`;
}

function keyOf(resource: Resource<unknown>, object: KubeObject): string {
  const { name = '', namespace = '' } = object.metadata ?? {};
  return resource.namespaced ? `${namespace}/${name}` : name;
}

function failure(code: number, reason: string, message: string): ApiError {
  return new ApiError('answer', { status: 'Failure', code, reason, message });
}

/** RFC 7396. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  return result;
}

function matches(object: KubeObject, { fieldSelector, namespace }: ListOptions): boolean {
  if (namespace !== undefined && object.metadata?.namespace !== namespace) return false;
  const node = /^spec\.nodeName=(.+)$/.exec(fieldSelector ?? '')?.[1];
  return node === undefined || (object as Pod).spec?.nodeName === node;
}

/**
 * A Kubernetes API in memory, for simulations of the controllers: revisions, conflicts, generations, and
 * watches whose events come as late as `lagMs` says, so that caches are stale as they are in life.
 */
export class MemoryApi implements KubeClient {
  readonly #clock: Clock;
  readonly #lagMs: () => number;
  readonly #objects = new Map<string, KubeObject>();
  readonly #changes: Change[] = [];
  readonly #listeners = new Set<() => void>();
  #revision = 1;
  /** Called after every durable change with the state of all nodes reachable through `all`. */
  onWrite: (() => void) | undefined;
  /** Says why the eviction of a pod is refused; undefined grants it. */
  refuseEviction: (pod: Pod) => string | undefined = () => undefined;

  constructor(clock: Clock, lagMs: () => number = () => 0) {
    this.#clock = clock;
    this.#lagMs = lagMs;
  }

  async get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<T> {
    await this.#turn();
    return this.#find(resource, nameOf(key));
  }

  async *pages<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions = {},
  ): AsyncIterable<KubeList<T>> {
    await this.#turn();
    const metadata = { resourceVersion: String(this.#revision) };
    yield { metadata, items: this.all(resource).filter((object) => matches(object, options)) };
  }

  async list<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions = {},
  ): Promise<readonly T[]> {
    await this.#turn();
    return this.all(resource).filter((object) => matches(object, options));
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions & { readonly resourceVersion: string },
  ): AsyncIterable<WatchEvent<T>> {
    let seen = Number(options.resourceVersion);
    while (options.signal?.aborted !== true) {
      const next = this.#changes.find(
        ({ plural, revision }) => plural === resource.plural && revision > seen,
      );
      if (next === undefined) {
        await this.#news(options.signal);
        continue;
      }
      const lagMs = this.#lagMs();
      if (lagMs > 0) await this.#clock.sleep(lagMs, options.signal);
      seen = next.revision;
      yield next.event as WatchEvent<T>;
    }
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    await this.#turn();
    const key = keyOf(resource, object);
    if (this.#objects.has(`${resource.plural}/${key}`))
      throw failure(409, 'AlreadyExists', `${resource.plural} ${key} already exists`);
    const uid = `uid-${this.#revision}`;
    const creationTimestamp = new Date(this.#clock.now()).toISOString();
    const metadata = { uid, creationTimestamp, generation: 1, ...object.metadata };
    return this.#store(resource, { ...object, metadata }, 'ADDED');
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    await this.#turn();
    const before = this.#find(resource, keyOf(resource, object));
    this.#checkRevision(before, object.metadata?.resourceVersion);
    return this.#write(resource, before, object);
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: { readonly body: unknown },
    _options?: WriteOptions,
  ): Promise<T> {
    await this.#turn();
    const before = this.#find(resource, nameOf(key));
    const metadata = isJsonObject(patch.body) ? patch.body['metadata'] : undefined;
    const bound = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
    this.#checkRevision(before, typeof bound === 'string' ? bound : undefined);
    return this.#write(resource, before, merge(before, patch.body) as T);
  }

  async delete<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<void> {
    await this.#turn();
    const object = this.#find(resource, nameOf(key));
    this.#objects.delete(`${resource.plural}/${nameOf(key)}`);
    const metadata = { ...object.metadata, resourceVersion: String(this.#revision + 1) };
    this.#publish(resource, { type: 'DELETED', object: { ...object, metadata } });
  }

  async evict(pod: Pod): Promise<void> {
    const refusal = this.refuseEviction(pod);
    if (refusal !== undefined) throw failure(429, 'TooManyRequests', refusal);
    await this.delete(pods, {
      namespace: pod.metadata?.namespace ?? '',
      name: pod.metadata?.name ?? '',
    });
  }

  async raw(path: string) {
    return { status: 404, body: path };
  }

  close(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** What is stored, without a request. */
  all<T extends KubeObject>(resource: Resource<T>): readonly T[] {
    const prefix = `${resource.plural}/`;
    const found = [...this.#objects].filter(([key]) => key.startsWith(prefix));
    return found.map(([, object]) => object as T);
  }

  peek<T extends KubeObject>(resource: Resource<T>, key: string): T | undefined {
    return this.#objects.get(`${resource.plural}/${key}`) as T | undefined;
  }

  /** Requests take a moment, in which others go on. */
  async #turn(): Promise<void> {
    await Promise.resolve();
  }

  #find<T extends KubeObject>(resource: Resource<T>, key: string): T {
    const object = this.#objects.get(`${resource.plural}/${key}`);
    if (object !== undefined) return object as T;
    throw failure(404, 'NotFound', `${resource.plural} ${key} not found`);
  }

  #checkRevision(before: KubeObject, bound: string | undefined): void {
    if (bound !== undefined && bound !== before.metadata?.resourceVersion)
      throw failure(409, 'Conflict', `${before.metadata?.name} was modified`);
  }

  #write<T extends KubeObject>(resource: Resource<T>, before: T, after: T): T {
    if (jsonEqual(before, after)) return before;
    const spec = (object: T) => ('spec' in object ? object.spec : undefined);
    const moved = jsonEqual(spec(before), spec(after)) ? 0 : 1;
    const generation = (before.metadata?.generation ?? 1) + moved;
    return this.#store(
      resource,
      { ...after, metadata: { ...after.metadata, generation } },
      'MODIFIED',
    );
  }

  #store<T extends KubeObject>(resource: Resource<T>, object: T, type: 'ADDED' | 'MODIFIED'): T {
    const resourceVersion = String(this.#revision + 1);
    const stored = {
      ...object,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: { ...object.metadata, resourceVersion },
    };
    this.#objects.set(`${resource.plural}/${keyOf(resource, object)}`, stored);
    this.#publish(resource, { type, object: stored });
    return stored;
  }

  #publish(resource: Resource<unknown>, event: Change['event']): void {
    this.#revision += 1;
    this.#changes.push({ plural: resource.plural, revision: this.#revision, event });
    this.onWrite?.();
    for (const listener of [...this.#listeners]) listener();
  }

  #news(signal: AbortSignal | undefined): Promise<void> {
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
