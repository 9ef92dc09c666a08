import type { KubeObject } from '@slipway/api';
import {
  type BackoffOptions,
  backoffDelayMs,
  type Clock,
  type Logger,
  TransientError,
} from '@slipway/base';
import type { KubeClient } from '../client/kube-client.ts';
import { ApiError, isGone, isRevisionTooLarge } from '../errors.ts';
import type { Informer, InformerEvent, InformerOptions } from './informer-types.ts';
import { ObjectCache } from './object-cache.ts';
import { Reflection } from './reflection.ts';

export type InformerDependencies = {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between tries after failures; default 800 ms, doubling up to 30 s, half of it random. */
  readonly backoff?: BackoffOptions;
};

/** Half of the delay is random: thousands of daemons lose their server at the same moment. */
const defaultBackoff: BackoffOptions = { initialMs: 800, maxMs: 30_000, jitter: 0.5 };
/** A watch that ends sooner than this without an event counts as a failure. */
const shortWatchMs = 1000;

/**
 * A cache of one resource. It lists by pages, watches from there, goes on after a broken connection
 * where it was, and lists again (publishing the difference) when the server no longer remembers.
 *
 *   listing ──▶ watching ──▶ waiting ──▶ watching     the revision is known
 *      ▲                        │
 *      └──────── 410 ───────────┘
 */
export function createInformer<T extends KubeObject>(
  client: KubeClient,
  options: InformerOptions<T>,
  dependencies: InformerDependencies,
): Informer<T> {
  return new ListWatchInformer(client, options, dependencies);
}

type Handler<T> = (event: InformerEvent<T>) => void;

class ListWatchInformer<T extends KubeObject> implements Informer<T> {
  readonly name: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #backoff: BackoffOptions;
  readonly #cache: ObjectCache<T>;
  readonly #reflection: Reflection<T>;
  readonly #handlers = new Set<Handler<T>>();
  readonly #stopping = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  #synced: boolean = false;
  #failures = 0;
  #running: Promise<void> | undefined;

  constructor(
    client: KubeClient,
    options: InformerOptions<T>,
    { clock, logger, backoff = defaultBackoff }: InformerDependencies,
  ) {
    this.name = `informer ${options.resource.plural}`;
    this.#clock = clock;
    this.#logger = logger.child({ resource: options.resource.plural });
    this.#backoff = backoff;
    this.#cache = new ObjectCache(options.indexes);
    const publish = (event: InformerEvent<T>) => this.#publish(event);
    this.#reflection = new Reflection(client, options, { cache: this.#cache, publish });
    // Whoever never calls start does not wait for it either.
    this.#ready.promise.catch(() => undefined);
  }

  get synced(): boolean {
    return this.#synced;
  }

  get(key: string): T | undefined {
    return this.#cache.get(key);
  }

  list(): readonly T[] {
    return this.#cache.list();
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#cache.byIndex(index, value);
  }

  onChange(handler: Handler<T>): Disposable {
    this.#handlers.add(handler);
    if (this.#synced) this.#replay(handler);
    return { [Symbol.dispose]: () => void this.#handlers.delete(handler) };
  }

  /** Resolves when the first list is complete. An aborted signal or `stop` ends the waiting with an error. */
  async start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#running ??= this.#run(this.#stopping.signal);
    const abort = () => {
      this.#ready.reject(signal?.reason);
      this.#stopping.abort();
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await this.#ready.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async stop(): Promise<void> {
    this.#ready.reject(new TransientError(`start ${this.name}: stopped`, { code: 'kube.stopped' }));
    this.#stopping.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (!signal.aborted) await this.#recover(error, signal);
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    if (this.#reflection.revision === undefined) {
      await this.#reflection.list(signal);
      this.#becomeSynced();
    }
    const since = this.#clock.monotonic();
    let events = 0;
    await this.#reflection.watch(signal, () => {
      events += 1;
      this.#failures = 0;
    });
    const lastedMs = this.#clock.monotonic() - since;
    if (events === 0 && lastedMs < shortWatchMs) await this.#wait(signal);
    else this.#failures = 0;
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const relist = needsList(error);
    if (relist) this.#reflection.forgetRevision();
    this.#logger.warn('informer interrupted', { error, relist, failures: this.#failures });
    // The first 410 is ordinary after a long absence; only a repeated one has to wait.
    if (isGone(error) && this.#failures === 0) this.#failures = 1;
    else await this.#wait(signal);
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const delayMs = backoffDelayMs(this.#failures, this.#backoff);
    this.#failures += 1;
    // Only stopping ends the sleep early, and the loop sees that by itself.
    await this.#clock.sleep(delayMs, signal).catch(() => undefined);
  }

  #becomeSynced(): void {
    if (this.#synced) return;
    this.#synced = true;
    for (const handler of this.#handlers) this.#replay(handler);
    this.#ready.resolve();
  }

  /** Nothing is told before the first list is complete: half a world leads to wrong decisions. */
  #publish(event: InformerEvent<T>): void {
    if (!this.#synced) return;
    for (const handler of this.#handlers) this.#call(handler, event);
  }

  #replay(handler: Handler<T>): void {
    for (const key of this.#cache.keys()) {
      const after = this.#cache.get(key);
      if (after !== undefined) this.#call(handler, { key, after });
    }
  }

  #call(handler: Handler<T>, event: InformerEvent<T>): void {
    try {
      handler(event);
    } catch (error) {
      this.#logger.error('informer handler failed', { key: event.key, error });
    }
  }
}

/** Whether the answer means that the revision is of no use. Refused credentials and overload do not. */
function needsList(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code } = error.status;
  if (isRevisionTooLarge(error)) return true;
  return code < 500 && code !== 429 && code !== 401 && code !== 403;
}
