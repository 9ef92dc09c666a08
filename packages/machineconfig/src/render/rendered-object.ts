import {
  type MachineConfig,
  type MachineConfigPool,
  machineConfigPools,
  machineConfigs,
  machineConfigurationApiVersion,
  type PoolConfiguration,
} from '@slipway/api';
import type { Rendered } from './render-pool.ts';

/** The MachineConfig object of a rendering, owned by its pool. It carries no label, so that no pool selects it. */
export function renderedObject(pool: MachineConfigPool, rendered: Rendered): MachineConfig {
  return {
    apiVersion: machineConfigurationApiVersion,
    kind: machineConfigs.kind,
    metadata: {
      name: rendered.name,
      ownerReferences: [
        {
          apiVersion: machineConfigurationApiVersion,
          kind: machineConfigPools.kind,
          name: pool.metadata?.name ?? '',
          uid: pool.metadata?.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: rendered.spec,
  };
}

/** What a pool says of a rendering: its name, and what it was made of. */
export function poolConfigurationOf(rendered: Rendered): PoolConfiguration {
  const reference = (name: string) => ({
    apiVersion: machineConfigurationApiVersion,
    kind: machineConfigs.kind,
    name,
  });
  return { ...reference(rendered.name), source: rendered.sources.map(reference) };
}
