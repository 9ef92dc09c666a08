import type { ClusterConfiguration, InitSettings } from '@slipway/bootstrap';
import { formatBootstrapToken } from '@slipway/pki';
import type { TryCluster } from './try-cluster.ts';

const nothingExtra = { extraArgs: [], extraVolumes: [], extraEnvs: [] };

/**
 * The configuration that `slipway init` would have been given for this cluster. Keys are of the kind
 * that is made fastest; the API server of this process listens on the loopback interface alone, hosts
 * come by `endpoint`.
 */
export function trySettings({ nodeName, endpoint, port, token }: TryCluster): InitSettings {
  return {
    init: {
      bootstrapTokens: [
        {
          token: formatBootstrapToken(token).reveal(),
          description: 'joins the hosts of slipway up',
          ttl: '1h',
          usages: ['signing', 'authentication'],
          groups: ['system:bootstrappers:kubeadm:default-node-token'],
        },
      ],
      dryRun: false,
      nodeRegistration: {
        name: nodeName,
        criSocket: 'unix:///var/run/containerd/containerd.sock',
        taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
        kubeletExtraArgs: [],
        ignorePreflightErrors: [],
        imagePullPolicy: 'IfNotPresent',
        imagePullSerial: true,
      },
      localAPIEndpoint: { advertiseAddress: '127.0.0.1', bindPort: port },
      skipPhases: [],
      timeouts: {
        controlPlaneComponentHealthCheck: '4m0s',
        kubeletHealthCheck: '4m0s',
        kubernetesAPICall: '1m0s',
        etcdAPICall: '2m0s',
        tlsBootstrap: '5m0s',
        discovery: '5m0s',
        upgradeManifests: '5m0s',
      },
    },
    cluster: clusterOf(endpoint),
    components: {},
  };
}

function clusterOf(endpoint: string): ClusterConfiguration {
  return {
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
    controlPlaneEndpoint: new URL(endpoint).host,
    apiServer: { ...nothingExtra, certSANs: ['localhost', '::1'] },
    controllerManager: nothingExtra,
    scheduler: nothingExtra,
    dns: { disabled: true },
    proxy: { disabled: true },
    certificatesDir: '/etc/kubernetes/pki',
    imageRepository: 'registry.k8s.io',
    featureGates: {},
    clusterName: 'slipway',
    encryptionAlgorithm: 'ECDSA-P256',
    certificateValidityPeriod: '8760h0m0s',
    caCertificateValidityPeriod: '87600h0m0s',
  };
}
