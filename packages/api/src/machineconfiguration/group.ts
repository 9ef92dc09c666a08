import type { Resource } from '../resource.ts';
import type { MachineConfig } from './machine-config.ts';
import type { MachineConfigNode } from './machine-config-node.ts';
import type { MachineConfigPool } from './machine-config-pool.ts';
import type { MachineConfiguration } from './machine-configuration.ts';

/** The API group of machine configuration; also the prefix of its labels and annotations. */
export const machineConfigurationGroup = 'machineconfiguration.alauda.io';
export const machineConfigurationVersion = 'v1alpha1';
export const machineConfigurationApiVersion = `${machineConfigurationGroup}/${machineConfigurationVersion}`;

/** Label of a MachineConfig that says for which role it is: `worker`, `master`, or a custom pool's name. */
export const roleLabel = `${machineConfigurationGroup}/role`;

function clusterScoped<T>(kind: string, plural: string): Resource<T> {
  return {
    group: machineConfigurationGroup,
    version: machineConfigurationVersion,
    kind,
    plural,
    namespaced: false,
  };
}

export const machineConfigs = clusterScoped<MachineConfig>('MachineConfig', 'machineconfigs');
export const machineConfigPools = clusterScoped<MachineConfigPool>(
  'MachineConfigPool',
  'machineconfigpools',
);
export const machineConfigurations = clusterScoped<MachineConfiguration>(
  'MachineConfiguration',
  'machineconfigurations',
);
export const machineConfigNodes = clusterScoped<MachineConfigNode>(
  'MachineConfigNode',
  'machineconfignodes',
);
