/** Where kubeadm keeps things, as the host sees it. Names and places are a contract with clusters that kubeadm made. */
export const kubernetesPaths = {
  directory: '/etc/kubernetes',
  manifests: '/etc/kubernetes/manifests',
  certificates: '/etc/kubernetes/pki',
  temporary: '/etc/kubernetes/tmp',
  adminKubeconfig: '/etc/kubernetes/admin.conf',
  superAdminKubeconfig: '/etc/kubernetes/super-admin.conf',
  kubeletKubeconfig: '/etc/kubernetes/kubelet.conf',
  bootstrapKubeletKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
  controllerManagerKubeconfig: '/etc/kubernetes/controller-manager.conf',
  schedulerKubeconfig: '/etc/kubernetes/scheduler.conf',
  kubelet: '/var/lib/kubelet',
  kubeletConfiguration: '/var/lib/kubelet/config.yaml',
  kubeletInstanceConfiguration: '/var/lib/kubelet/instance-config.yaml',
  kubeletFlags: '/var/lib/kubelet/kubeadm-flags.env',
  kubeletClientCertificate: '/var/lib/kubelet/pki/kubelet-client-current.pem',
  etcdData: '/var/lib/etcd',
} as const;

/** The static pods of a control plane, in the order in which they are written and upgraded. */
export const controlPlaneComponents = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
] as const;

export type ControlPlaneComponent = (typeof controlPlaneComponents)[number];

/** Well-known ports. */
export const kubernetesPorts = {
  apiServer: 6443,
  kubelet: 10_250,
  kubeletHealth: 10_248,
  controllerManager: 10_257,
  scheduler: 10_259,
  etcdClient: 2379,
  etcdPeer: 2380,
  etcdMetrics: 2381,
} as const;
