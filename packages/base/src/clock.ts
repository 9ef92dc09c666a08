/** Time as a dependency: code that waits or stamps receives one, tests pass a `VirtualClock`. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. Use it for stamps only. */
  now(): number;
  /** Milliseconds of a clock that never goes back. Use it for durations. */
  monotonic(): number;
  /** Runs `callback` once after `delayMs`; disposing the timer cancels it. */
  timer(delayMs: number, callback: () => void): Disposable;
  /** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

function sleepWith(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      timer[Symbol.dispose]();
      reject(signal?.reason);
    };
    const timer = clock.timer(delayMs, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The machine's clock. Its timers do not keep the process alive unless `sleep` is awaited. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(delayMs, callback) {
    const id = setTimeout(callback, delayMs);
    return { [Symbol.dispose]: () => clearTimeout(id) };
  },
  sleep(delayMs, signal) {
    return sleepWith(systemClock, delayMs, signal);
  },
};

type Pending = { readonly at: number; readonly callback: () => void };

/** A clock that moves only when told: `advance(ms)` fires what is due, in order. */
export class VirtualClock implements Clock {
  #now: number;
  #elapsed = 0;
  readonly #pending = new Set<Pending>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  timer(delayMs: number, callback: () => void): Disposable {
    const entry: Pending = { at: this.#elapsed + Math.max(0, delayMs), callback };
    this.#pending.add(entry);
    return { [Symbol.dispose]: () => void this.#pending.delete(entry) };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, delayMs, signal);
  }

  /** Moves time by `ms`, firing due timers in order and letting their promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      const due = [...this.#pending].filter((p) => p.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#pending.delete(due);
      this.#elapsed = Math.max(this.#elapsed, due.at);
      due.callback();
      await settle();
    }
    this.#elapsed = end;
    await settle();
  }

  /** Moves the wall clock only, as an administrator or NTP would. */
  jump(ms: number): void {
    this.#now += ms;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 16; turn += 1) await Promise.resolve();
}
