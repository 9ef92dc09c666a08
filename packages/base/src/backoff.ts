/** How long to wait between tries. */
export type BackoffOptions = {
  /** First delay in ms. */
  readonly initialMs: number;
  /** Upper bound in ms, jitter included. */
  readonly maxMs: number;
  /** Growth per try; default 2. */
  readonly factor?: number;
  /** Share of the delay that is random, 0..1; default 0.2. */
  readonly jitter?: number;
};

/** Delay in ms before try number `attempt` (0 = first retry). `random` gives 0..1. */
export function backoffDelayMs(
  attempt: number,
  options: BackoffOptions,
  random: () => number = Math.random,
): number {
  const { initialMs, maxMs, factor = 2, jitter = 0.2 } = options;
  const full = Math.min(maxMs, initialMs * factor ** Math.min(attempt, 64));
  return Math.min(maxMs, full * (1 - jitter + 2 * jitter * random()));
}
