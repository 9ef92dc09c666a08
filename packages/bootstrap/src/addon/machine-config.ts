import {
  customResourceDefinitions,
  defaultObjects,
  machineConfigurationDefinitions,
} from '@slipway/api';
import { type ClusterObject, clusterObject } from '../object/cluster-object.ts';

/** What the phase has to tell: objects alone change no host. */
export const machineConfigNotice =
  'operator and daemons do not run yet; until they do, pools and MachineConfigs change nothing on hosts';

/**
 * What machine configuration needs in a cluster before its programs run: the definitions, the rights
 * (`access`, which the room of the operator knows), and the default pools, their first MachineConfigs
 * and the policy, which are never overwritten.
 */
export function machineConfigObjects(access: readonly ClusterObject[]): readonly ClusterObject[] {
  return [
    ...machineConfigurationDefinitions.map((definition) =>
      clusterObject(customResourceDefinitions, definition),
    ),
    ...access,
    ...defaultObjects().map(({ resource, object }) => clusterObject(resource, object, 'keep')),
  ];
}
