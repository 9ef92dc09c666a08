import { type BackoffOptions, backoffDelayMs, type Clock } from '@slipway/base';

export type WorkQueueOptions = {
  readonly clock: Clock;
  /** Between tries of a key that keeps failing; default 5 ms, doubling up to 60 s. */
  readonly backoff?: BackoffOptions;
  /** Gives 0..1 for jitter. */
  readonly random?: () => number;
};

const defaultBackoff: BackoffOptions = { initialMs: 5, maxMs: 60_000 };

/**
 * Keys to be worked on, first in, first out. A key is in the queue at most once, and is never given
 * out while it is being worked on: added meanwhile, it comes again after `done`. Nothing added before
 * shutdown is lost.
 *
 *   add ──▶ waiting ── take ──▶ processing ── done ──▶ gone
 *              ▲                    │ add
 *              └──── done ◀──── dirty
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #backoff: BackoffOptions;
  readonly #random: () => number;
  /** In the order of arrival: a Set keeps it. */
  readonly #waiting = new Set<string>();
  readonly #processing = new Set<string>();
  /** Added while they were processed. */
  readonly #dirty = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly timer: Disposable }>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  readonly #drained: (() => void)[] = [];
  #closed: boolean = false;

  constructor({ clock, backoff = defaultBackoff, random = Math.random }: WorkQueueOptions) {
    this.#clock = clock;
    this.#backoff = backoff;
    this.#random = random;
  }

  /** Keys that wait to be taken; delayed ones and those being worked on do not count. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Adds a key now. Ignored after shutdown. */
  add(key: string): void {
    if (this.#closed) return;
    this.#cancelDelay(key);
    if (this.#processing.has(key)) {
      this.#dirty.add(key);
      return;
    }
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#waiting.add(key);
      return;
    }
    this.#processing.add(key);
    taker(key);
  }

  /** Adds a key after a while; of several delays of one key the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const at = this.#clock.monotonic() + delayMs;
    const planned = this.#delayed.get(key);
    if (planned !== undefined && planned.at <= at) return;
    this.#cancelDelay(key);
    const timer = this.#clock.timer(delayMs, () => this.add(key));
    this.#delayed.set(key, { at, timer });
  }

  /** Adds a key after a delay that grows with each call until `forget`; returns the delay in ms. */
  addRateLimited(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const delayMs = backoffDelayMs(failures, this.#backoff, this.#random);
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** The key succeeded: its next failure starts with a short delay again. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** How often the key was added by `addRateLimited` since it was last forgotten. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key, waiting for one; undefined after shutdown. Call `done` with it in any case. */
  take(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const [key] = this.#waiting;
    if (key === undefined) return new Promise((resolve) => this.#takers.push(resolve));
    this.#waiting.delete(key);
    this.#processing.add(key);
    return Promise.resolve(key);
  }

  /** Work on a taken key has ended. */
  done(key: string): void {
    this.#processing.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
    if (this.#closed && this.#processing.size === 0) {
      for (const resolve of this.#drained.splice(0)) resolve();
    }
  }

  /** Gives out nothing more, and resolves when every taken key is done. */
  async shutdown(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) timer[Symbol.dispose]();
    this.#delayed.clear();
    this.#waiting.clear();
    this.#dirty.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
    if (this.#processing.size > 0) {
      await new Promise<void>((resolve) => this.#drained.push(resolve));
    }
  }

  #cancelDelay(key: string): void {
    this.#delayed.get(key)?.timer[Symbol.dispose]();
    this.#delayed.delete(key);
  }
}
