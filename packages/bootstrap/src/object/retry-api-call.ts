import { type Clock, SlipwayError } from '@slipway/base';
import { ApiError, isForbidden, isNotFound } from '@slipway/kube';

/** How long an API call may be repeated, and what time it is. */
export type ApiCallOptions = {
  readonly clock: Clock;
  /** `timeouts.kubernetesAPICall`; default 60 000 ms. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/** Between two tries; kubeadm's interval. */
const intervalMs = 500;

/**
 * Failures that pass. Right after its start a server knows neither its roles (403) nor the namespaces
 * that a controller makes (404).
 */
function isWorthAnotherTry(error: unknown): boolean {
  if (isForbidden(error) || isNotFound(error)) return true;
  return error instanceof SlipwayError && error.kind === 'transient';
}

/**
 * Repeats `call` until it succeeds, fails for good, or the time is over; then throws the last failure.
 * The first try is always made.
 */
export async function retryApiCall<T>(
  call: () => Promise<T>,
  { clock, timeoutMs = 60_000, signal }: ApiCallOptions,
): Promise<T> {
  const until = clock.monotonic() + timeoutMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isWorthAnotherTry(error)) throw error;
      const waitMs = error instanceof ApiError ? (error.retryAfterMs ?? intervalMs) : intervalMs;
      if (clock.monotonic() + waitMs > until) throw error;
      await clock.sleep(waitMs, signal);
    }
  }
}
