import type { Condition, KubeObject, LabelSelector, ObjectReference } from '../object-meta.ts';

/** Name of a rendered MachineConfig and the MachineConfigs it was rendered from, in merge order. */
export type PoolConfiguration = ObjectReference & { readonly source?: readonly ObjectReference[] };

/** A group of nodes that get one rendered configuration. */
export type MachineConfigPool = KubeObject & {
  readonly spec?: {
    readonly machineConfigSelector?: LabelSelector;
    readonly nodeSelector?: LabelSelector;
    /** How many nodes may be unavailable at once: a number or `"N%"` (rounded down, at least 1). Default 1. */
    readonly maxUnavailable?: number | string;
    /** Stops targeting nodes; rendering goes on. Default false. */
    readonly paused?: boolean;
    /** The target: written by the render controller. */
    readonly configuration?: PoolConfiguration;
  };
  readonly status?: MachineConfigPoolStatus;
};

export type PoolConditionType =
  | 'Updated'
  | 'Updating'
  | 'Degraded'
  | 'NodeDegraded'
  | 'RenderDegraded';

export type MachineConfigPoolStatus = {
  readonly observedGeneration?: number;
  /** The configuration that was last rolled out to every node of the pool. */
  readonly configuration?: PoolConfiguration;
  readonly machineCount?: number;
  readonly updatedMachineCount?: number;
  readonly readyMachineCount?: number;
  readonly unavailableMachineCount?: number;
  readonly degradedMachineCount?: number;
  readonly conditions?: readonly Condition[];
};
