import type { ClusterConfiguration } from '../config/configuration.ts';
import { componentImage } from '../image/component-image.ts';
import { imageTag } from './observed-cluster.ts';
import type { PlanRequest } from './plan.ts';

/** Versions of etcd and CoreDNS that come with a release; tags that the configuration sets stay. */
export function companionVersions(cluster: ClusterConfiguration): PlanRequest['companions'] {
  return (kubernetesVersion) => {
    const target = { ...cluster, kubernetesVersion };
    return {
      etcd: imageTag(componentImage('etcd', target)) ?? '',
      coreDns: imageTag(componentImage('coredns', target)) ?? '',
    };
  };
}
