import type { Condition, KubeObject } from '../object-meta.ts';

/** One difference between what a host should have and what it has. */
export type DriftFinding = {
  /** Absolute path, or the unit's name for enablement and mask. */
  readonly path: string;
  readonly kind:
    | 'missing'
    | 'content'
    | 'mode'
    | 'owner'
    | 'type'
    | 'enablement'
    | 'mask'
    | 'unexpected';
  /** Digest (`sha256:…`) or value that is declared. */
  readonly expected?: string;
  /** Digest or value that was found. */
  readonly actual?: string;
};

/** A pod that a drain waits for, and why. */
export type DrainBlocker = {
  readonly namespace: string;
  readonly pod: string;
  readonly podDisruptionBudget?: string;
  readonly owner?: string;
  readonly message: string;
};

/** What is going on on one node; its name is the node's. Written by the node's daemon and the operator only. */
export type MachineConfigNode = KubeObject & {
  readonly spec?: {
    readonly node?: { readonly name: string };
    readonly pool?: { readonly name: string };
    readonly configVersion?: { readonly desired: string };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly configVersion?: { readonly current?: string; readonly desired?: string };
    readonly conditions?: readonly Condition[];
    /** Written by the daemon. */
    readonly drift?: readonly DriftFinding[];
    /** Actions of the update in progress, in order, as text: `Restart chronyd.service`. Written by the daemon. */
    readonly plannedActions?: readonly string[];
    /** Written by the drain controller. */
    readonly drainBlockers?: readonly DrainBlocker[];
    /** First cause of the last failure. Written by the daemon. */
    readonly lastError?: {
      readonly code: string;
      readonly message: string;
      readonly time?: string;
    };
  };
};
