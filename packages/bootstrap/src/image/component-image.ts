import type { ClusterConfiguration } from '../config/configuration.ts';
import { releaseFacts } from '../facts/versions.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';

/** What a cluster runs from images. */
export type ImageName =
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kube-proxy'
  | 'coredns'
  | 'pause'
  | 'etcd';

const defaultRepository = 'registry.k8s.io';

/** `repository/name:tag` of a component, overrides of etcd and dns included (images/images.go). */
export function componentImage(name: ImageName, cluster: ClusterConfiguration): string {
  const { imageRepository, kubernetesVersion } = cluster;
  const facts = releaseFacts(kubernetesMinor(kubernetesVersion));
  if (name === 'coredns') return dnsImage(cluster, facts.coredns);
  if (name === 'pause') return `${imageRepository}/pause:${facts.pause}`;
  if (name === 'etcd') {
    const local = 'local' in cluster.etcd ? cluster.etcd.local : undefined;
    const repository = local?.imageRepository ?? imageRepository;
    return `${repository}/etcd:${local?.imageTag ?? facts.etcd}`;
  }
  // A tag cannot have the + of build metadata.
  return `${imageRepository}/${name}:${kubernetesVersion.replaceAll('+', '_')}`;
}

/** The public registry has CoreDNS one level deeper than mirrors of it do. */
function dnsImage({ dns, imageRepository }: ClusterConfiguration, tag: string): string {
  const repository = dns.imageRepository ?? imageRepository;
  const folder = repository === defaultRepository ? `${repository}/coredns` : repository;
  return `${folder}/coredns:${dns.imageTag ?? tag}`;
}
