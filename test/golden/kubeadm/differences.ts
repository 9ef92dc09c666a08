/** Where slipway is meant to differ from kubeadm, and why. A difference that never occurs is an error. */
export type Difference = {
  readonly reason: string;
  /** Which recordings: `VERSION CONFIGURATION`. Absent: all. */
  readonly recordings?: RegExp;
  /** `PIECE` or `PIECE at PATH`. */
  readonly places: RegExp;
};

export const differences: readonly Difference[] = [
  {
    reason: 'a worker without taints: kubeadm writes null, slipway an empty list',
    recordings: / (?:v1-)?join/,
    places: /^migrated\/JoinConfiguration at nodeRegistration\.taints$/,
  },
  {
    reason: 'the add-on of machine configuration is slipway’s own',
    places:
      /^object\/(?:ClusterRole\/slipway:|ClusterRoleBinding\/slipway:|CustomResourceDefinition\/|MachineConfig)/,
  },
  {
    reason:
      'kubeadm prints empty status and members that the API server fills in; nobody reads them',
    places:
      /^object\/(?:DaemonSet|Deployment|Service)\/.* at (?:status|metadata\.resourceVersion|spec\.template\.spec\.containers\.0\.resources)$/,
  },
  {
    reason: 'kubeadm up to v1.36 cannot migrate an UpgradeConfiguration; slipway can',
    recordings: /^v1\.3[456]\.\d upgrade/,
    places: /^(?:exit\/migrate|migrated\/UpgradeConfiguration)$/,
  },
  {
    reason: 'defaults are printed for one version, the newest that slipway knows',
    recordings: /^v1\.3[456]\.\d general$/,
    places:
      /^(?:init|component)-defaults\/(?:ClusterConfiguration at kubernetesVersion|KubeProxyConfiguration at mode)$/,
  },
  {
    reason: 'a kubeconfig without users has an empty list of them: null says the same',
    places:
      /^object\/ConfigMap\/kube-public\/cluster-info at data\.kubeconfig\.(?:contexts|users)$/,
  },
  {
    reason: 'kubeadm up to v1.36 loses this value when it migrates (writes 0s); slipway keeps it',
    recordings: /^v1\.3[456]/,
    places: /^migrated\/InitConfiguration at timeouts\.controlPlaneComponentHealthCheck$/,
  },
  {
    reason: 'names of checks are compared without case and order; slipway writes them in one form',
    places: /^migrated\/\w+ at (?:\w+\.)?ignorePreflightErrors\.\d+$/,
  },
  {
    reason: 'slipway reads v1beta3 whatever version it installs; kubeadm v1.37 no longer does',
    recordings: /^v1\.37\.2 (?:v1beta3|join-v1beta3)$/,
    places: /./,
  },
  {
    reason: 'slipway reads v1 whatever version it installs; kubeadm v1.36 does not yet',
    recordings: /^v1\.36\.3 (?:v1|v1-join)$/,
    places: /./,
  },
  {
    reason:
      'images of another minor than kubeadm’s own: slipway names those of that minor’s kubeadm',
    recordings: / general$/,
    places: /^images-(?:v1\.\d+\.\d+|mirror) at \d$/,
  },
];
