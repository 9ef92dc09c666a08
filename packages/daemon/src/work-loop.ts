import type { Clock } from '@slipway/base';

export type WorkLoopOptions = {
  readonly clock: Clock;
  /** One round; returns after how many ms the next one is due at the latest. Must not throw. */
  readonly work: () => Promise<number>;
  /** Rounds that are woken follow each other no faster than this, ms. */
  readonly minIntervalMs: number;
};

/**
 * Runs `work` when woken or when it is due, never twice at once. Wishes that arrive during a round
 * make one more round after it.
 */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  #timer: Disposable | undefined;
  #running: Promise<void> | undefined;
  #woken: boolean = false;
  #stopped: boolean = true;
  #lastEndMs = Number.NEGATIVE_INFINITY;

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  /** Asks for a round as soon as one is allowed. */
  wake(): void {
    if (this.#stopped) return;
    this.#woken = true;
    if (this.#running !== undefined) return;
    const sinceEnd = this.#options.clock.monotonic() - this.#lastEndMs;
    this.#schedule(Math.max(0, this.#options.minIntervalMs - sinceEnd));
  }

  /** Resolves when the round in progress has ended; there is none after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    await this.#running;
  }

  #schedule(delayMs: number): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (delayMs <= 0) this.#run();
    else this.#timer = this.#options.clock.timer(delayMs, () => this.#run());
  }

  #run(): void {
    if (this.#stopped || this.#running !== undefined) return;
    this.#woken = false;
    this.#running = this.#round();
  }

  async #round(): Promise<void> {
    const nextMs = await this.#options.work();
    this.#running = undefined;
    this.#lastEndMs = this.#options.clock.monotonic();
    if (this.#stopped) return;
    this.#schedule(this.#woken ? Math.min(nextMs, this.#options.minIntervalMs) : nextMs);
  }
}
