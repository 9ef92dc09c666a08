import { configMaps } from '@slipway/api';
import { type ClusterEntry, clusterInfoKubeconfig } from '../discovery/cluster-kubeconfig.ts';
import { readAccess } from './access.ts';
import { type ClusterObject, clusterObject } from './cluster-object.ts';

/** What anybody may read of a cluster: where it is and whom it trusts. */
export const clusterInfoKey = { namespace: 'kube-public', name: 'cluster-info' } as const;

/**
 * ConfigMap cluster-info, which the controller manager signs with every bootstrap token, and the right
 * of everybody to read it: a joining node has no credentials yet.
 */
export function clusterInfoObjects(cluster: ClusterEntry): readonly ClusterObject[] {
  return [
    clusterObject(configMaps, {
      metadata: clusterInfoKey,
      data: { kubeconfig: clusterInfoKubeconfig(cluster) },
    }),
    ...readAccess(
      'kubeadm:bootstrap-signer-clusterinfo',
      { ...clusterInfoKey, plural: 'configmaps' },
      [{ kind: 'User', name: 'system:anonymous' }],
    ),
  ];
}
