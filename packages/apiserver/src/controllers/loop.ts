import { backoffDelayMs, type Clock, type Component, type Logger } from '@slipway/base';
import type { ChangeEvent, LocalAccess, ResourceDefinition } from '../contract.ts';

const retry = { initialMs: 100, maxMs: 30_000 };

/** What a reconciliation asks for: undefined, or to be called again after this many ms. */
export type Again = number | undefined;

export type LoopOptions = {
  readonly name: string;
  readonly access: LocalAccess;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Keys to look at when the loop starts. */
  readonly seeds: () => Iterable<string>;
  /** Keys that a change may concern. */
  readonly keysOf: (definition: ResourceDefinition, event: ChangeEvent) => Iterable<string>;
  /** How long a change rests before it is looked at, in ms; default 0. Further changes start it anew. */
  readonly settleMs?: number;
  /** Brings one key to its wanted state; must be idempotent. A throw means another try, later. */
  readonly reconcile: (key: string) => Promise<Again>;
};

/**
 * A level-based controller: changes only wake it, the state is read anew for each key. One key at a
 * time; a failing key backs off without holding up the others. `start` resolves when the seeds were
 * looked at once.
 */
export class Loop implements Component {
  readonly name: string;
  readonly #options: LoopOptions;
  readonly #queue = new Set<string>();
  readonly #timers = new Map<string, Disposable>();
  readonly #failures = new Map<string, number>();
  #subscription: Disposable | undefined;
  #pump: Promise<void> | undefined;

  constructor(options: LoopOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { access, keysOf, seeds, settleMs } = this.#options;
    this.#subscription = access.onChange((definition, event) => {
      for (const key of keysOf(definition, event)) {
        if (settleMs === undefined) this.wake(key);
        else this.#later(key, settleMs);
      }
    });
    for (const key of seeds()) this.wake(key);
    await this.idle();
  }

  async stop(): Promise<void> {
    this.#subscription?.[Symbol.dispose]();
    this.#subscription = undefined;
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    this.#timers.clear();
    this.#queue.clear();
    await this.#pump;
  }

  /** Looks at `key` soon. */
  wake(key: string): void {
    if (this.#subscription === undefined) return;
    this.#queue.add(key);
    this.#pump ??= this.#run();
  }

  /** Resolves when nothing is queued; keys that wait for their time do not count. */
  async idle(): Promise<void> {
    while (this.#pump !== undefined) await this.#pump;
  }

  async #run(): Promise<void> {
    // Handlers of one change run before any reconciliation, so that several wakes become one.
    await Promise.resolve();
    for (;;) {
      const [key] = this.#queue;
      if (key === undefined || this.#subscription === undefined) break;
      this.#queue.delete(key);
      this.#later(key, await this.#attempt(key));
    }
    this.#pump = undefined;
  }

  async #attempt(key: string): Promise<Again> {
    try {
      const again = await this.#options.reconcile(key);
      this.#failures.delete(key);
      return again;
    } catch (error) {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      const controller = this.name;
      this.#options.logger.warn('reconciliation failed', { controller, key, failures, error });
      return backoffDelayMs(failures, retry);
    }
  }

  #later(key: string, delayMs: Again): void {
    this.#timers.get(key)?.[Symbol.dispose]();
    this.#timers.delete(key);
    if (delayMs === undefined || this.#subscription === undefined) return;
    const timer = this.#options.clock.timer(delayMs, () => {
      this.#timers.delete(key);
      this.wake(key);
    });
    this.#timers.set(key, timer);
  }
}
