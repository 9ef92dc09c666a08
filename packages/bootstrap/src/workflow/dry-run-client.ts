import {
  apiVersionOf,
  type KubeList,
  type KubeObject,
  mergePatch,
  type Resource,
} from '@slipway/api';
import { ApiError, isNotFound, type KubeClient, type ObjectKey } from '@slipway/kube';
import { yamlText } from '../object/yaml-text.ts';
import type { Reporter } from './ground.ts';
import { withoutSecrets } from './without-secrets.ts';

export type DryRunClientOptions = {
  /** A cluster to read from; absent: there is none. Nothing is ever written to it. */
  readonly real?: KubeClient;
  /** What a cluster would have that neither a run writes nor a missing cluster can tell. */
  readonly substitutes?: readonly DryRunSubstitute[];
  readonly reporter: Reporter;
};

/** An object that is taken to exist when neither the run nor a real cluster has it. */
export type DryRunSubstitute = {
  readonly resource: Resource<KubeObject>;
  readonly object: KubeObject;
};

/**
 * A client that writes nothing: it tells what it would create, change and delete, and answers with what
 * the run itself wrote, then from the real cluster where there is one, then with the substitutes.
 */
export function createDryRunClient(options: DryRunClientOptions): KubeClient {
  return new DryRunClient(options);
}

class DryRunClient implements KubeClient {
  readonly #real: KubeClient | undefined;
  readonly #reporter: Reporter;
  readonly #substitutes: ReadonlyMap<string, KubeObject>;
  /** Undefined: deleted by this run. */
  readonly #written = new Map<string, KubeObject | undefined>();
  #writes = 0;

  constructor({ real, substitutes = [], reporter }: DryRunClientOptions) {
    this.#real = real;
    this.#reporter = reporter;
    this.#substitutes = new Map(
      substitutes.map(({ resource, object }) => [place(resource, keyOf(resource, object)), object]),
    );
  }

  async get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<T> {
    const found = await this.#find(resource, key);
    if (found === undefined) throw failure(404, 'NotFound', `get ${described(resource, key)}`);
    return found;
  }

  async *pages<T extends KubeObject>(
    resource: Resource<T>,
    options: { readonly namespace?: string } = {},
  ): AsyncIterable<KubeList<T>> {
    const items = [...(await this.list(resource, options))];
    yield { apiVersion: apiVersionOf(resource), kind: `${resource.kind}List`, metadata: {}, items };
  }

  async list<T extends KubeObject>(
    resource: Resource<T>,
    options: { readonly namespace?: string } = {},
  ): Promise<readonly T[]> {
    const real = (await this.#real?.list(resource, options)) ?? [];
    const found = new Map<string, KubeObject | undefined>(
      real.map((object) => [place(resource, keyOf(resource, object)), object]),
    );
    for (const [at, object] of this.#written) {
      const ofKind = at.startsWith(`${place(resource, '')}`);
      const namespace = object?.metadata?.namespace;
      if (ofKind && (options.namespace ?? namespace) === namespace) found.set(at, object);
    }
    return [...found.values()].flatMap((object) => (object === undefined ? [] : [object as T]));
  }

  async *watch(): AsyncIterable<never> {
    // Nothing happens while a dry run looks.
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    const key = keyOf(resource, object);
    if ((await this.#find(resource, key)) !== undefined) {
      throw failure(409, 'AlreadyExists', `create ${described(resource, key)}`);
    }
    this.#tell('create', resource, key, object);
    return this.#store(resource, key, object);
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    const key = keyOf(resource, object);
    this.#tell('update', resource, key, object);
    return this.#store(resource, key, object);
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    { type, body }: Parameters<KubeClient['patch']>[2],
  ): Promise<T> {
    const before = await this.get(resource, key);
    this.#tell(`${type}-patch`, resource, key, body);
    // The result matters to nobody but the reads that follow, and those are of merged fields.
    const after = type === 'json' ? before : (mergePatch(before, body) as T);
    return this.#store(resource, key, after);
  }

  async delete<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<void> {
    await this.get(resource, key);
    this.#reporter.phase('dryrun', `would delete ${described(resource, key)}`);
    this.#written.set(place(resource, key), undefined);
  }

  async evict(pod: Parameters<KubeClient['evict']>[0]): Promise<void> {
    const { namespace = '', name } = pod.metadata;
    this.#reporter.phase('dryrun', `would evict Pod ${namespace}/${name}`);
  }

  async raw(path: string, options?: Parameters<KubeClient['raw']>[1]) {
    if (this.#real !== undefined) return this.#real.raw(path, options);
    return /^\/(?:readyz|livez|healthz)/.test(path)
      ? { status: 200, body: 'ok' }
      : { status: 404, body: 'there is no cluster in this dry run' };
  }

  close(): void {
    this.#real?.close();
  }

  async #find<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> {
    const at = place(resource, key);
    if (this.#written.has(at)) return this.#written.get(at) as T | undefined;
    try {
      if (this.#real !== undefined) return await this.#real.get(resource, key);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return this.#substitutes.get(at) as T | undefined;
  }

  #tell(verb: string, resource: Resource<unknown>, key: ObjectKey, content: unknown): void {
    this.#reporter.phase('dryrun', `would ${verb} ${described(resource, key)}:`);
    this.#reporter.line(yamlText(withoutSecrets(content)).trimEnd());
  }

  #store<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, object: T): T {
    this.#writes += 1;
    // No server has seen it: it has no uid yet.
    const { uid = '', ...metadata } = object.metadata ?? {};
    const resourceVersion = String(this.#writes);
    const stored = { ...object, metadata: { ...metadata, uid, resourceVersion } };
    this.#written.set(place(resource, key), stored);
    return stored;
  }
}

function keyOf(resource: Resource<unknown>, object: KubeObject): ObjectKey {
  const { name = '', namespace = '' } = object.metadata ?? {};
  return resource.namespaced ? { namespace, name } : name;
}

function nameOf(key: ObjectKey): string {
  return typeof key === 'string' ? key : `${key.namespace}/${key.name}`;
}

function place(resource: Resource<unknown>, key: ObjectKey): string {
  return `${resource.group}/${resource.plural}/${nameOf(key)}`;
}

function described(resource: Resource<unknown>, key: ObjectKey): string {
  return `${resource.kind} ${nameOf(key)}`;
}

function failure(code: number, reason: string, action: string): ApiError {
  const message = code === 404 ? 'not found' : 'exists already';
  return new ApiError(action, { kind: 'Status', status: 'Failure', code, reason, message });
}
