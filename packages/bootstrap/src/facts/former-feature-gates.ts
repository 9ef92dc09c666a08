const always = 'what it stood for is always so: leave the gate out';
const staticPods = 'control planes run as static pods only: leave the gate out';

/** Gates that kubeadm once had and the kubeadm of the newest minor has no more. */
const formerGates: ReadonlyMap<string, string> = new Map([
  ['Auditing', 'name a policy in apiServer.extraArgs, as audit-policy-file'],
  ['ControlPlaneKubeletLocalMode', always],
  ['CoreDNS', always],
  ['DynamicKubeletConfig', 'kubelets read their configuration from files only: leave the gate out'],
  ['EtcdLearnerMode', always],
  ['HighAvailability', 'further control planes join with --control-plane: leave the gate out'],
  [
    'IPv6DualStack',
    'give networking.podSubnet and serviceSubnet a range of each family, with a comma between them',
  ],
  ['NodeLocalCRISocket', always],
  ['PublicKeysECDSA', 'set encryptionAlgorithm: ECDSA-P256'],
  ['SelfHosting', staticPods],
  ['StoreCertsInSecrets', staticPods],
  ['SupportIPVSProxyMode', 'set mode: ipvs in a KubeProxyConfiguration'],
  ['UnversionedKubeletConfigMap', always],
  [
    'UpgradeAddonsBeforeControlPlane',
    'addons are upgraded with the last control plane: leave the gate out',
  ],
  ['WaitForAllControlPlaneComponents', always],
]);

/**
 * What to do today instead of setting a feature gate that earlier kubeadms had; undefined for what never
 * was one. Only for a gate that the version of the cluster does not know.
 */
export function insteadOfFeatureGate(gate: string): string | undefined {
  return formerGates.get(gate);
}
