/** An authority of a cluster. */
export type AuthorityName = 'ca' | 'front-proxy-ca' | 'etcd-ca';

/** A certificate of a control plane that an authority signs. */
export type LeafName =
  | 'apiserver'
  | 'apiserver-kubelet-client'
  | 'front-proxy-client'
  | 'etcd-server'
  | 'etcd-peer'
  | 'etcd-healthcheck-client'
  | 'apiserver-etcd-client';

/** Names as kubeadm's phases and `certs renew` spell them. */
export type CertificateName = AuthorityName | LeafName;

/** A row of the tree. */
export type TreeEntry = {
  readonly name: CertificateName;
  /** File below the certificate directory, without `.crt` and `.key`. */
  readonly baseName: string;
  /** Who signs it; absent: itself. */
  readonly authority?: AuthorityName;
  /** `node`: the name of the node. */
  readonly commonName: { readonly fixed: string } | 'node';
  /** Organizations until a minor, exclusive. */
  readonly organizations?: { readonly names: readonly string[]; readonly beforeMinor: number };
  readonly usages: readonly ('client' | 'server')[];
  /** Which rule makes its alternative names; absent: it has none. */
  readonly names?: 'own-name' | 'apiserver' | 'etcd-server' | 'etcd-peer';
  /** What it is for, to be read by people. */
  readonly purpose: string;
};

/**
 * Every certificate of a control plane, in the order in which they are made. File names and subjects are
 * a contract with clusters that kubeadm made (confirmed against kubeadm 1.36.3 and 1.37.2).
 */
export const certificateTree: readonly TreeEntry[] = [
  {
    name: 'ca',
    baseName: 'ca',
    commonName: { fixed: 'kubernetes' },
    usages: [],
    names: 'own-name',
    purpose: 'authority of the cluster',
  },
  {
    name: 'apiserver',
    baseName: 'apiserver',
    authority: 'ca',
    commonName: { fixed: 'kube-apiserver' },
    usages: ['server'],
    names: 'apiserver',
    purpose: 'what the API server serves with',
  },
  {
    name: 'apiserver-kubelet-client',
    baseName: 'apiserver-kubelet-client',
    authority: 'ca',
    commonName: { fixed: 'kube-apiserver-kubelet-client' },
    // From 1.36 on a ClusterRoleBinding of its own takes the place of the administrators' group.
    organizations: { names: ['kubeadm:cluster-admins'], beforeMinor: 36 },
    usages: ['client'],
    purpose: 'what the API server comes to kubelets with',
  },
  {
    name: 'front-proxy-ca',
    baseName: 'front-proxy-ca',
    commonName: { fixed: 'front-proxy-ca' },
    usages: [],
    names: 'own-name',
    purpose: 'authority of the API aggregation layer',
  },
  {
    name: 'front-proxy-client',
    baseName: 'front-proxy-client',
    authority: 'front-proxy-ca',
    commonName: { fixed: 'front-proxy-client' },
    usages: ['client'],
    purpose: 'what the API server comes to extension API servers with',
  },
  {
    name: 'etcd-ca',
    baseName: 'etcd/ca',
    commonName: { fixed: 'etcd-ca' },
    usages: [],
    names: 'own-name',
    purpose: 'authority of etcd',
  },
  {
    name: 'etcd-server',
    baseName: 'etcd/server',
    authority: 'etcd-ca',
    commonName: 'node',
    usages: ['server', 'client'],
    names: 'etcd-server',
    purpose: 'what etcd serves with',
  },
  {
    name: 'etcd-peer',
    baseName: 'etcd/peer',
    authority: 'etcd-ca',
    commonName: 'node',
    usages: ['server', 'client'],
    names: 'etcd-peer',
    purpose: 'what members of etcd talk to each other with',
  },
  {
    name: 'etcd-healthcheck-client',
    baseName: 'etcd/healthcheck-client',
    authority: 'etcd-ca',
    commonName: { fixed: 'kube-etcd-healthcheck-client' },
    usages: ['client'],
    purpose: 'what the health of etcd is probed with',
  },
  {
    name: 'apiserver-etcd-client',
    baseName: 'apiserver-etcd-client',
    authority: 'etcd-ca',
    commonName: { fixed: 'kube-apiserver-etcd-client' },
    usages: ['client'],
    purpose: 'what the API server comes to etcd with',
  },
];
