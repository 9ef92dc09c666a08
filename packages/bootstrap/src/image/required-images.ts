import type { ClusterConfiguration } from '../config/configuration.ts';
import { componentImage, type ImageName } from './component-image.ts';

/** The images that a control-plane node runs, in kubeadm's order; without what the configuration disables. */
export function requiredImages(cluster: ClusterConfiguration): readonly string[] {
  const names: readonly ImageName[] = [
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    ...(cluster.proxy.disabled ? [] : (['kube-proxy'] as const)),
    ...(cluster.dns.disabled ? [] : (['coredns'] as const)),
    'pause',
    ...('local' in cluster.etcd ? (['etcd'] as const) : []),
  ];
  return names.map((name) => componentImage(name, cluster));
}
