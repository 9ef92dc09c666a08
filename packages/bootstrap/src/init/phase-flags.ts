/** Flags of the phases of `init`, as kubeadm gives them to its own (v1.37). */
const endpoint = ['apiserver-advertise-address', 'apiserver-bind-port', 'control-plane-endpoint'];
const cluster = ['config', 'kubeconfig', 'dry-run'];
const certificate = ['cert-dir', 'config', 'dry-run', 'kubernetes-version'];
const serving = [
  ...certificate,
  'apiserver-advertise-address',
  'apiserver-cert-extra-sans',
  'control-plane-endpoint',
  'node-name',
  'service-cidr',
  'service-dns-domain',
];
const kubeconfig = [...certificate, ...endpoint, 'kubeconfig-dir'];
const component = [...certificate, 'image-repository', 'patches'];
const apiServer = [
  ...component,
  ...endpoint,
  'apiserver-extra-args',
  'feature-gates',
  'service-cidr',
];
const controllerManager = [...component, 'controller-manager-extra-args', 'pod-network-cidr'];
const scheduler = [...component, 'scheduler-extra-args'];
const coredns = [
  ...cluster,
  'feature-gates',
  'image-repository',
  'kubernetes-version',
  'service-cidr',
  'service-dns-domain',
];
const kubeProxy = [
  ...cluster,
  ...endpoint,
  'image-repository',
  'kubernetes-version',
  'pod-network-cidr',
];

export const initPhaseFlags = {
  preflight: ['config', 'cri-socket', 'dry-run', 'ignore-preflight-errors', 'image-repository'],
  certificate,
  serving,
  kubeconfig,
  nodeKubeconfig: [...kubeconfig, 'node-name'],
  etcd: ['cert-dir', 'config', 'dry-run', 'image-repository', 'patches'],
  apiServer,
  controllerManager,
  scheduler,
  controlPlane: [...apiServer, ...controllerManager, ...scheduler],
  kubeletStart: ['config', 'cri-socket', 'dry-run', 'image-repository', 'node-name', 'patches'],
  waitControlPlane: ['config', 'dry-run'],
  uploadConfig: [...cluster, 'cri-socket'],
  uploadCertificates: [...cluster, 'certificate-key', 'skip-certificate-key-print', 'upload-certs'],
  markControlPlane: ['config', 'dry-run', 'node-name'],
  bootstrapToken: [...cluster, 'skip-token-print'],
  kubeletFinalize: ['cert-dir', 'config', 'dry-run'],
  addon: [...coredns, ...kubeProxy],
  coredns: [...coredns, 'print-manifest'],
  kubeProxy: [...kubeProxy, 'print-manifest'],
  machineConfig: [...cluster, 'print-manifest'],
  showJoinCommand: cluster,
} as const satisfies Record<string, readonly string[]>;
