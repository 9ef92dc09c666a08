import type { ClusterConfiguration, InitSettings } from '../config/configuration.ts';

const component = { extraArgs: [], extraVolumes: [], extraEnvs: [] } as const;

const cluster: ClusterConfiguration = {
  etcd: {
    local: {
      dataDir: '/var/lib/etcd',
      extraArgs: [],
      extraEnvs: [],
      serverCertSANs: [],
      peerCertSANs: [],
    },
  },
  networking: { serviceSubnet: '10.96.0.0/12', podSubnet: '', dnsDomain: 'cluster.local' },
  kubernetesVersion: 'v1.37.2',
  controlPlaneEndpoint: '',
  apiServer: { ...component, certSANs: [] },
  controllerManager: component,
  scheduler: component,
  dns: { disabled: false },
  proxy: { disabled: false },
  certificatesDir: '/etc/kubernetes/pki',
  imageRepository: 'registry.k8s.io',
  featureGates: {},
  clusterName: 'kubernetes',
  encryptionAlgorithm: 'ECDSA-P256',
  certificateValidityPeriod: '8760h0m0s',
  caCertificateValidityPeriod: '87600h0m0s',
};

/** The settings of a first control plane `cp1` at 10.20.0.11, with keys that are quick to make. */
export function describedSettings(
  changes: Partial<ClusterConfiguration> = {},
  init: Partial<Pick<InitSettings['init'], 'localAPIEndpoint'>> = {},
) {
  return {
    init: {
      localAPIEndpoint: { advertiseAddress: '10.20.0.11', bindPort: 6443 },
      nodeRegistration: { name: 'cp1' },
      ...init,
    },
    cluster: { ...cluster, ...changes },
  };
}
