import { backoffDelayMs, type Clock, SlipwayError } from '@slipway/base';

export type WaitOptions = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Makes the error for the end of the wait; `last` is the last failure, undefined when there was none. */
  readonly expired: (last: unknown) => Error;
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
    if (clock.monotonic() >= deadline) throw expired(last);
    await clock.sleep(backoffDelayMs(tries, backoff), signal);
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof SlipwayError)) return false;
  return error.kind === 'transient' || error.code === 'kube.api-failure';
}
