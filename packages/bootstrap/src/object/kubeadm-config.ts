import { configMaps } from '@slipway/api';
import { joinedNodes, joiningNodes, readAccess } from './access.ts';
import { type ClusterObject, clusterObject } from './cluster-object.ts';

/** Where the cluster keeps its ClusterConfiguration. */
export const kubeadmConfigKey = { namespace: 'kube-system', name: 'kubeadm-config' } as const;

/** Key of the ClusterConfiguration in its ConfigMap. */
export const clusterConfigurationKey = 'ClusterConfiguration';

/**
 * ConfigMap kubeadm-config and who may read it. `clusterConfiguration` is the v1beta4 document as
 * `renderClusterConfiguration` makes it: nothing of a node, no component configuration.
 */
export function kubeadmConfigObjects(clusterConfiguration: string): readonly ClusterObject[] {
  return [
    clusterObject(configMaps, {
      metadata: kubeadmConfigKey,
      data: { [clusterConfigurationKey]: clusterConfiguration },
    }),
    ...readAccess('kubeadm:nodes-kubeadm-config', { ...kubeadmConfigKey, plural: 'configmaps' }, [
      joiningNodes,
      joinedNodes,
    ]),
  ];
}
