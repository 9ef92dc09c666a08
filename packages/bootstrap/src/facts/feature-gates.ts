import type { ClusterConfiguration } from '../config/configuration.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';

/** Feature gates of kubeadm's ClusterConfiguration by minor (features/features.go of each release). */
const gatesOfMinor: ReadonlyMap<number, readonly string[]> = new Map([
  [
    34,
    [
      'ControlPlaneKubeletLocalMode',
      'NodeLocalCRISocket',
      'PublicKeysECDSA',
      'RootlessControlPlane',
      'WaitForAllControlPlaneComponents',
    ],
  ],
  [
    35,
    [
      'ControlPlaneKubeletLocalMode',
      'NodeLocalCRISocket',
      'PublicKeysECDSA',
      'RootlessControlPlane',
    ],
  ],
  [36, ['NodeLocalCRISocket', 'PublicKeysECDSA', 'RootlessControlPlane']],
  [37, ['RootlessControlPlane']],
]);

/** The gates that the kubeadm of a minor knows; of the nearest known minor for another one. */
export function knownFeatureGates(minor: number): readonly string[] {
  const minors = [...gatesOfMinor.keys()];
  const nearest = Math.min(Math.max(minor, Math.min(...minors)), Math.max(...minors));
  return gatesOfMinor.get(nearest) ?? [];
}

type GatedCluster = Pick<ClusterConfiguration, 'featureGates' | 'kubernetesVersion'>;

/**
 * The kubelet of a control plane talks to the API server of its own node: always, but in a cluster of 1.34
 * whose gate ControlPlaneKubeletLocalMode is off. 1.35 still takes the gate and no longer heeds it.
 */
export function hasLocalKubelets({ featureGates, kubernetesVersion }: GatedCluster): boolean {
  return (
    kubernetesMinor(kubernetesVersion) > 34 ||
    featureGates['ControlPlaneKubeletLocalMode'] !== false
  );
}

/**
 * Each node keeps the socket of its container runtime in instance-config.yaml: always, but in a cluster up
 * to 1.36 whose gate NodeLocalCRISocket is off. There the kubelet gets it as a flag.
 */
export function hasNodeLocalSockets({ featureGates, kubernetesVersion }: GatedCluster): boolean {
  return kubernetesMinor(kubernetesVersion) > 36 || featureGates['NodeLocalCRISocket'] !== false;
}

/** The Node is annotated with the socket too: where nodes do not keep it, up to 1.35. */
export function hasSocketAnnotations(cluster: GatedCluster): boolean {
  return kubernetesMinor(cluster.kubernetesVersion) < 36 && !hasNodeLocalSockets(cluster);
}

/**
 * Keys are ECDSA P-256 whatever `encryptionAlgorithm` says: in a cluster up to 1.36 whose gate
 * PublicKeysECDSA is on.
 */
export function hasEcdsaKeys({ featureGates, kubernetesVersion }: GatedCluster): boolean {
  return kubernetesMinor(kubernetesVersion) < 37 && featureGates['PublicKeysECDSA'] === true;
}
