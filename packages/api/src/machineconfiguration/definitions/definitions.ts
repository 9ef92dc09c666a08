import type { CustomResourceDefinition } from '../../kubernetes/types.ts';
import { machineConfigDefinition } from './machine-config.ts';
import { machineConfigNodeDefinition } from './machine-config-node.ts';
import { machineConfigPoolDefinition } from './machine-config-pool.ts';
import { machineConfigurationDefinition } from './machine-configuration.ts';

/** The CustomResourceDefinitions of machine configuration, as the operator installs them. */
export const machineConfigurationDefinitions: readonly CustomResourceDefinition[] = [
  machineConfigDefinition,
  machineConfigPoolDefinition,
  machineConfigurationDefinition,
  machineConfigNodeDefinition,
];
