import type { Condition, KubeObject } from '../object-meta.ts';

/** The only name that a MachineConfiguration may have. */
export const machineConfigurationName = 'cluster';

/** What a change of a file, unit or SSH key disrupts. Reboot and None stand alone. */
export type DisruptionAction =
  | { readonly type: 'None' | 'Reboot' | 'Drain' | 'DaemonReload' }
  | { readonly type: 'Reload'; readonly reload: { readonly serviceName: string } }
  | { readonly type: 'Restart'; readonly restart: { readonly serviceName: string } };

export type FileDisruptionPolicy = {
  readonly path: string;
  readonly actions: readonly DisruptionAction[];
};
export type UnitDisruptionPolicy = {
  readonly name: string;
  readonly actions: readonly DisruptionAction[];
};

export type NodeDisruptionPolicy = {
  readonly files?: readonly FileDisruptionPolicy[];
  readonly units?: readonly UnitDisruptionPolicy[];
  readonly sshkey?: { readonly actions: readonly DisruptionAction[] };
};

/** What happens where no policy matches. */
export type DefaultDisruptionActions = {
  readonly files: readonly DisruptionAction[];
  readonly units: readonly DisruptionAction[];
};

/** The disruption policy of the cluster. A singleton named `cluster`. */
export type MachineConfiguration = KubeObject & {
  readonly spec?: {
    readonly defaultNodeDisruptionPolicySpecAction?: DefaultDisruptionActions;
    readonly nodeDisruptionPolicy?: NodeDisruptionPolicy;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly nodeDisruptionPolicyStatus?: { readonly clusterPolicies?: NodeDisruptionPolicy };
    readonly conditions?: readonly Condition[];
  };
};
