import { apiVersionOf, type KubeList, type KubeObject, pods, type Resource } from '@slipway/api';
import { type Clock, type Logger, silentLogger, systemClock } from '@slipway/base';
import { createConnection } from './connection.ts';
import type { ConnectionConfig, ConnectionProvider } from './connection-config.ts';
import type {
  DeleteOptions,
  KubeClient,
  ListOptions,
  ObjectKey,
  PatchType,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kube-client.ts';
import { readConsistently } from './list-restart.ts';
import {
  collectionPath,
  creationPath,
  keyOf,
  objectPath,
  selection,
  withQuery,
} from './resource-path.ts';
import { createTransport, type Transport, type TransportRequest } from './transport.ts';
import { readWatch } from './watch-stream.ts';

export type KubeClientOptions = {
  /** Default `slipway`. The API server takes what stands before the first slash as field manager. */
  readonly userAgent?: string;
  /** For one answer, in ms; default 30 000. Watches have their own idle time-out. */
  readonly timeoutMs?: number;
  /** Largest answer and longest watch line; default 64 MiB. */
  readonly maxResponseBytes?: number;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** Told about credentials that could not be reloaded; default: silent. */
  readonly logger?: Logger;
  /** Gives 0..1, for the jitter of watch time-outs. */
  readonly random?: () => number;
};

const pageSize = 100;
const watchSeconds = 300;
const idleTimeoutMs = 90_000;
const mebibyte = 1024 * 1024;

const contentTypes: Record<PatchType, string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/**
 * A client of the API server at `source`. Certificates, keys and tokens that come from files, and a
 * provider's whole answer, are looked at again every 10 s while requests are made.
 */
export function createKubeClient(
  source: ConnectionConfig | ConnectionProvider,
  options: KubeClientOptions = {},
): KubeClient {
  return new HttpsKubeClient(source, options);
}

type Settings = Required<Omit<KubeClientOptions, 'logger'>>;

class HttpsKubeClient implements KubeClient {
  readonly #settings: Settings;
  readonly #transport: Transport;

  constructor(source: ConnectionConfig | ConnectionProvider, options: KubeClientOptions) {
    const { clock = systemClock, logger = silentLogger } = options;
    this.#settings = {
      clock,
      userAgent: options.userAgent ?? 'slipway',
      timeoutMs: options.timeoutMs ?? 30_000,
      maxResponseBytes: options.maxResponseBytes ?? 64 * mebibyte,
      random: options.random ?? Math.random,
    };
    this.#transport = createTransport(createConnection(source, { clock, logger }), this.#settings);
  }

  async get<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: { signal?: AbortSignal } = {},
  ): Promise<T> {
    return this.#json<T>({ method: 'GET', path: objectPath(resource, key), ...options });
  }

  pages<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions & { readonly limit?: number } = {},
  ): AsyncIterable<KubeList<T>> {
    return this.#pages(resource, options, options.limit ?? pageSize);
  }

  async *#pages<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions,
    limit: number | undefined,
  ): AsyncGenerator<KubeList<T>> {
    const path = collectionPath(resource, options.namespace);
    let token: string | undefined;
    do {
      // A continue token carries the revision; naming one beside it is refused by the server.
      const resourceVersion = token === undefined ? options.resourceVersion : undefined;
      const query = { ...selection(options), resourceVersion, limit, continue: token };
      const page = await this.#json<KubeList<T>>({
        method: 'GET',
        path: withQuery(path, query),
        ...signalOf(options),
      });
      yield withTypes(resource, page);
      token = page.metadata?.continue;
    } while (token !== undefined && token !== '');
  }

  async list<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions = {},
  ): Promise<readonly T[]> {
    let items: T[] = [];
    await readConsistently(
      (limit) => this.#pages(resource, options, limit),
      {
        begin: () => {
          items = [];
        },
        page: (page: KubeList<T>) => void items.push(...page.items),
      },
      pageSize,
    );
    return items;
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions & { readonly resourceVersion: string },
  ): AsyncGenerator<WatchEvent<T>> {
    const { clock, random, maxResponseBytes, timeoutMs } = this.#settings;
    const path = withQuery(collectionPath(resource, options.namespace), {
      ...selection(options),
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds: options.timeoutSeconds ?? Math.floor(watchSeconds * (1 + random())),
    });
    const request = { method: 'GET', path, timeoutMs, ...signalOf(options) } as const;
    const exchange = await this.#transport.stream(request);
    yield* readWatch<T>(exchange, request, {
      clock,
      idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
      maxLineBytes: maxResponseBytes,
    });
  }

  async create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const path =
      options.subresource === undefined
        ? creationPath(resource, object)
        : objectPath(resource, keyOf(resource, object), options.subresource);
    return this.#write<T>('POST', path, jsonBody({ ...typesOf(resource), ...object }), options);
  }

  async update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const path = objectPath(resource, keyOf(resource, object), options.subresource);
    return this.#write<T>('PUT', path, jsonBody({ ...typesOf(resource), ...object }), options);
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: { readonly type: PatchType; readonly body: unknown },
    options: WriteOptions = {},
  ): Promise<T> {
    const path = objectPath(resource, key, options.subresource);
    const body = { text: JSON.stringify(patch.body), contentType: contentTypes[patch.type] };
    return this.#write<T>('PATCH', path, body, options);
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<void> {
    const { signal, ...deleteOptions } = options;
    await this.#json({
      method: 'DELETE',
      path: objectPath(resource, key),
      body: jsonBody({ apiVersion: 'v1', kind: 'DeleteOptions', ...deleteOptions }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async evict(
    pod: Parameters<KubeClient['evict']>[0],
    options: { readonly gracePeriodSeconds?: number } = {},
  ): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    // The uid keeps a pod that was created again under the same name from being evicted unseen.
    const deleteOptions = { ...options, ...(uid === undefined ? {} : { preconditions: { uid } }) };
    await this.#json({
      method: 'POST',
      path: objectPath(pods, keyOf(pods, pod), 'eviction'),
      body: jsonBody({
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions,
      }),
      retry: false,
    });
  }

  raw(
    path: string,
    options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
  ): Promise<{ status: number; body: string }> {
    return this.#transport.text({ method: 'GET', path, ...options });
  }

  close(): void {
    this.#transport.close();
  }

  #write<T>(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: NonNullable<TransportRequest['body']>,
    options: WriteOptions,
  ): Promise<T> {
    const dryRun = options.dryRun === true ? 'All' : undefined;
    return this.#json<T>({ method, path: withQuery(path, { dryRun }), body, ...signalOf(options) });
  }

  async #json<T>(request: TransportRequest): Promise<T> {
    return (await this.#transport.json(request)) as T;
  }
}

function signalOf(options: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return options.signal === undefined ? {} : { signal: options.signal };
}

function jsonBody(value: unknown): { readonly text: string; readonly contentType: string } {
  return { text: JSON.stringify(value), contentType: 'application/json' };
}

function typesOf(resource: Resource<unknown>): { apiVersion: string; kind: string } {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/** Items of built-in lists come without apiVersion and kind, watch events with them: callers see one shape. */
function withTypes<T extends KubeObject>(resource: Resource<T>, page: KubeList<T>): KubeList<T> {
  if (page.items.every((item) => item.kind !== undefined)) return page;
  const types = typesOf(resource);
  return { ...page, items: page.items.map((item) => ({ ...types, ...item })) };
}
