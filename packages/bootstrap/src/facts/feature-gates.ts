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
