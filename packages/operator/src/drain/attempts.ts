import { backoffDelayMs } from '@slipway/base';

/** Refused evictions are asked for again after 5 s at first, up to 60 s. */
const refusedBackoff = { initialMs: 5000, maxMs: 60_000, factor: 1.5 };
/** Pods that are on their way out are looked at again soon. */
const terminatingMs = 1000;

type Attempts = {
  /** Which drain this is about; another one starts afresh. */
  readonly drain: string;
  refusals: number;
  readonly startedMs: number;
  /** What was last told, so that an unchanged cause is not told again. */
  told: string;
  slow: boolean;
};

/** After this long a drain that is not done is told as such. */
const slowMs = 10 * 60_000;

/** What happened so far in each drain under way. Forgotten with the process: the next one asks again. */
export class DrainAttempts {
  readonly #byNode = new Map<string, Attempts>();

  #of(node: string, drain: string, nowMs: number): Attempts {
    const known = this.#byNode.get(node);
    if (known?.drain === drain) return known;
    const fresh: Attempts = { drain, refusals: 0, startedMs: nowMs, told: '', slow: false };
    this.#byNode.set(node, fresh);
    return fresh;
  }

  /** Counts an attempt; answers when the next is due and whether there is something new to tell. */
  record(
    node: string,
    drain: string,
    outcome: { readonly blockers: readonly string[]; readonly nowMs: number },
  ): { readonly afterMs: number; readonly isNew: boolean; readonly isSlow: boolean } {
    const { blockers, nowMs } = outcome;
    const attempts = this.#of(node, drain, nowMs);
    const told = blockers.join('\n');
    const isNew = told !== '' && told !== attempts.told;
    attempts.told = told;
    const isSlow = !attempts.slow && nowMs - attempts.startedMs > slowMs;
    attempts.slow ||= isSlow;
    if (blockers.length === 0) return { afterMs: terminatingMs, isNew, isSlow };
    const afterMs = backoffDelayMs(attempts.refusals, refusedBackoff);
    attempts.refusals += 1;
    return { afterMs, isNew, isSlow };
  }

  /** True when a drain of the node was under way. */
  forget(node: string): boolean {
    return this.#byNode.delete(node);
  }
}
