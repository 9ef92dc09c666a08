import { backoffDelayMs, type Clock, describeError, SlipwayError } from '@slipway/base';

/** How long a caller waits, and who hears about it. */
export type Waiting = {
  readonly clock: Clock;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with the last thing observed, each time that it is another. */
  readonly onWait?: (observed: string) => void;
};

export type WaitOptions = Waiting & {
  readonly timeoutMs: number;
  /** Makes the error for the end of the wait; `last` is the last failure, undefined when there was none. */
  readonly expired: (last: unknown) => Error | Promise<Error>;
  /** What is told while nothing failed and nothing is there yet. */
  readonly awaited?: () => string;
};

const backoff = { initialMs: 50, maxMs: 1000 };

/**
 * Asks `attempt` until it gives something. Failures that another try may cure (time-outs, refused
 * connections, not found, forbidden while roles are still being created) count as "not yet".
 */
export async function waitFor<T>(
  options: WaitOptions,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const { clock, timeoutMs, signal, expired } = options;
  const deadline = clock.monotonic() + timeoutMs;
  const observe = changesOf(options.onWait);
  let last: unknown;
  for (let tries = 0; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      const found = await attempt();
      if (found !== undefined) return found;
      last = undefined;
    } catch (error) {
      if (!isWorthAnotherTry(error)) throw error;
      last = error;
    }
    if (clock.monotonic() >= deadline) throw await expired(last);
    observe(last === undefined ? options.awaited?.() : describeError(last));
    await clock.sleep(backoffDelayMs(tries, backoff), signal);
  }
}

function changesOf(listener: Waiting['onWait']): (text: string | undefined) => void {
  let told: string | undefined;
  return (text) => {
    if (text === undefined || text === told) return;
    told = text;
    listener?.(text);
  };
}

function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof SlipwayError)) return false;
  return error.kind === 'transient' || error.code === 'kube.api-failure';
}
