import { knownReleases } from '../upgrade/known-releases.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';

/** Minors of Kubernetes 1 that slipway builds clusters of. */
export const oldestMinor = kubernetesMinor(knownReleases[0] ?? '');
export const newestMinor = kubernetesMinor(knownReleases.at(-1) ?? '');

/** How many minors a kubelet may be older than its control plane; source: the version skew policy. */
export const kubeletSkew = 3;
