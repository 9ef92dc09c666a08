import type { HostPath } from '@slipway/host';
import type { ClusterConfiguration } from '../config/configuration.ts';
import type { StaticPodEtcd } from '../etcd/static-pod-etcd.ts';
import { kubernetesPaths } from '../facts/paths.ts';

/** Where this node's etcd keeps its data; undefined: etcd is not on this node, or not kubeadm's. */
export function etcdDirectory(
  cluster: ClusterConfiguration | undefined,
  pod: StaticPodEtcd | undefined,
): HostPath | undefined {
  if (cluster !== undefined) {
    return 'local' in cluster.etcd ? cluster.etcd.local.dataDir : undefined;
  }
  return pod === undefined ? kubernetesPaths.etcdData : pod.dataDirectory;
}
