import type { ConfigName, DriftFinding, NodeContract } from '@slipway/api';
import type { Failure } from './errors.ts';
import type { JournalPhase } from './state/journal.ts';

/** All that the decision depends on: the contract, the host, and the daemon's own records. */
export type Situation = {
  readonly contract: NodeContract;
  readonly journal?: {
    readonly phase: JournalPhase;
    readonly to: ConfigName;
    readonly forced: boolean;
    readonly bootId?: string;
  };
  readonly bootId: string;
  /** What the host has, by its own record; absent: never managed. */
  readonly current?: ConfigName;
  /** The force file exists. */
  readonly forced: boolean;
  /** Differences from `current`. */
  readonly findings: readonly DriftFinding[];
  /** The last failure and how long it still keeps its target waiting, ms. */
  readonly failed?: {
    readonly config: ConfigName;
    readonly failure: Failure;
    readonly held: boolean;
    readonly forced: boolean;
    readonly waitMs: number;
  };
  /** Reboots for the journal's configuration are used up. */
  readonly rebootLoop: boolean;
};

/** What to do next. */
export type Decision =
  /** Nobody has given the node a target. */
  | { readonly kind: 'wait' }
  /** An update is in progress: go on, in the direction of the journal. */
  | { readonly kind: 'resume' }
  /** An update is in progress whose target is no longer wanted. */
  | { readonly kind: 'abandon' }
  /** The reboot was asked for and has not come. */
  | { readonly kind: 'reboot-again' }
  /** It would be one reboot too many. */
  | { readonly kind: 'give-up-reboot' }
  /** The machine has come back. */
  | { readonly kind: 'complete-after-boot' }
  | { readonly kind: 'update'; readonly to: ConfigName; readonly forced: boolean }
  /** The host differs from what it should be. */
  | { readonly kind: 'drifted'; readonly findings: readonly DriftFinding[] }
  /** The target failed and is tried again later, or, when `held`, not by itself. */
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly waitMs: number;
      readonly held: boolean;
    }
  | { readonly kind: 'settled'; readonly current: ConfigName };

/** Decides from a snapshot, without looking anywhere else. */
export function decide(situation: Situation): Decision {
  const { journal, contract } = situation;
  if (journal !== undefined) return decideInProgress(situation, journal);
  // A managed node that lost its target keeps what it has; one that never had any is left alone.
  const desired = contract.desired ?? situation.current;
  return desired === undefined ? { kind: 'wait' } : decideTarget(situation, desired);
}

function decideInProgress(
  { contract, bootId, rebootLoop }: Situation,
  journal: NonNullable<Situation['journal']>,
): Decision {
  if (journal.phase === 'rebooting') {
    if (journal.bootId !== bootId) return { kind: 'complete-after-boot' };
    if (contract.desired !== undefined && contract.desired !== journal.to) {
      return { kind: 'abandon' };
    }
    return rebootLoop ? { kind: 'give-up-reboot' } : { kind: 'reboot-again' };
  }
  const unwanted = contract.desired !== undefined && contract.desired !== journal.to;
  if (journal.phase === 'applying' && unwanted) return { kind: 'abandon' };
  return { kind: 'resume' };
}

function decideTarget(situation: Situation, desired: ConfigName): Decision {
  const { current, forced, findings, failed } = situation;
  const wanted = forced || current !== desired;
  if (wanted && failed !== undefined && isWaiting(failed, desired, forced)) {
    const { failure, waitMs, held } = failed;
    return { kind: 'failed', failure, waitMs, held };
  }
  if (wanted) return { kind: 'update', to: desired, forced };
  if (findings.length > 0) return { kind: 'drifted', findings };
  return { kind: 'settled', current: desired };
}

/** The same target waits for its back-off; the force file cuts that short, but not its own failure's. */
function isWaiting(
  failed: NonNullable<Situation['failed']>,
  desired: ConfigName,
  forced: boolean,
): boolean {
  if (failed.config !== desired || (forced && !failed.forced)) return false;
  return failed.held || failed.waitMs > 0;
}

/**
 * A drifted host is not updated over what somebody changed by hand, unless the update itself replaces
 * or releases every drifted path: then nothing of it is left.
 */
export function isBlockedByDrift(
  findings: readonly DriftFinding[],
  touched: ReadonlySet<string>,
): boolean {
  return findings.some(({ path }) => !touched.has(path));
}
