import type { KubeObject } from '@slipway/api';
import {
  type BackoffOptions,
  type Clock,
  type Component,
  type Logger,
  TerminalError,
} from '@slipway/base';
import type { Informer, InformerEvent } from '../informer/informer-types.ts';
import { WorkQueue } from '../workqueue/work-queue.ts';
import type { Reconcile } from './controller-types.ts';

/** Something that wakes a controller. `watch` calls `wake` with each key that needs a look. */
export type KeySource = { watch(wake: (key: string) => void): Disposable };

export type ControllerOptions = {
  /** For logs: `render`, `pool`. */
  readonly name: string;
  readonly sources: readonly KeySource[];
  readonly reconcile: Reconcile;
  /** Keys worked on at the same time; default 1. */
  readonly workers?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between tries of a failing key; default 5 ms, doubling up to 60 s. */
  readonly backoff?: BackoffOptions;
};

/** Maps the changes of an informer to keys; by default each object's own. Both states of a change count. */
export function informerSource<T extends KubeObject>(
  informer: Informer<T>,
  keysOf: (event: InformerEvent<T>) => readonly string[] = (event) => [event.key],
): KeySource {
  return {
    watch: (wake) =>
      informer.onChange((event) => {
        for (const key of keysOf(event)) wake(key);
      }),
  };
}

/** Wakes the same keys again and again: at the start and every `everyMs`. */
export function periodicSource(
  clock: Clock,
  everyMs: number,
  keys: () => readonly string[],
): KeySource {
  return {
    watch(wake) {
      let timer: Disposable;
      const tick = () => {
        timer = clock.timer(everyMs, tick);
        for (const key of keys()) wake(key);
      };
      tick();
      return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
    },
  };
}

/**
 * Runs `reconcile` for every key that its sources name: never twice at once for one key, again after
 * `requeue`, with growing delays after an error, and not before the next event after a TerminalError.
 * Start it when its informers are synced; `stop` aborts the signal of running reconciles and waits for them.
 */
export function createController(options: ControllerOptions): Component {
  return new QueueController(options);
}

class QueueController implements Component {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #logger: Logger;
  readonly #queue: WorkQueue;
  readonly #stopping = new AbortController();
  readonly #subscriptions: Disposable[] = [];
  #workers: readonly Promise<void>[] = [];

  constructor(options: ControllerOptions) {
    this.name = `controller ${options.name}`;
    this.#options = options;
    this.#logger = options.logger.child({ controller: options.name });
    const { clock, backoff } = options;
    this.#queue = new WorkQueue(backoff === undefined ? { clock } : { clock, backoff });
  }

  start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { sources, workers = 1 } = this.#options;
    if (this.#workers.length > 0 || this.#stopping.signal.aborted) return Promise.resolve();
    for (const source of sources) {
      this.#subscriptions.push(source.watch((key) => this.#queue.add(key)));
    }
    this.#workers = Array.from({ length: workers }, () => this.#work());
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    for (const subscription of this.#subscriptions.splice(0)) subscription[Symbol.dispose]();
    this.#stopping.abort();
    await this.#queue.shutdown();
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (;;) {
      const key = await this.#queue.take();
      if (key === undefined) return;
      try {
        await this.#reconcile(key);
      } finally {
        this.#queue.done(key);
      }
    }
  }

  async #reconcile(key: string): Promise<void> {
    try {
      const outcome = await this.#options.reconcile(key, this.#stopping.signal);
      this.#queue.forget(key);
      if (outcome.kind === 'requeue') this.#queue.addAfter(key, outcome.afterMs);
    } catch (error) {
      this.#fail(key, error);
    }
  }

  #fail(key: string, error: unknown): void {
    // Work that was cut short by stopping has not failed.
    if (this.#stopping.signal.aborted) return;
    if (error instanceof TerminalError) {
      this.#queue.forget(key);
      this.#logger.error('reconcile refused', { key, error });
      return;
    }
    const failures = this.#queue.failures(key) + 1;
    const retryAfterMs = Math.round(this.#queue.addRateLimited(key));
    this.#logger.warn('reconcile failed', { key, error, failures, retryAfterMs });
  }
}
