import type { ConnectionConfig } from '../client/connection-config.ts';

/** A cluster of a kubeconfig: where it is and whom it must prove to be. */
export type KubeconfigCluster = Pick<
  ConnectionConfig,
  'server' | 'certificateAuthority' | 'tlsServerName' | 'insecureSkipTlsVerify'
> & {
  readonly name: string;
  /** A field that slipway cannot honour; using the cluster is refused. */
  readonly unsupported?: string;
};

/** A user of a kubeconfig: how to show who asks. */
export type KubeconfigUser = Pick<ConnectionConfig, 'clientCertificate' | 'clientKey' | 'token'> & {
  readonly name: string;
  /** A field that slipway cannot honour, such as `exec`; using the user is refused. */
  readonly unsupported?: string;
};

export type KubeconfigContext = {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
};

export type Kubeconfig = {
  readonly clusters: readonly KubeconfigCluster[];
  readonly users: readonly KubeconfigUser[];
  readonly contexts: readonly KubeconfigContext[];
  readonly currentContext?: string;
};

/** A kubeconfig of one cluster and one user, whose context is named `user@cluster`. */
export function singleUserKubeconfig(
  cluster: KubeconfigCluster,
  user: KubeconfigUser,
  namespace?: string,
): Kubeconfig {
  const name = `${user.name}@${cluster.name}`;
  const context = { name, cluster: cluster.name, user: user.name };
  return {
    clusters: [cluster],
    users: [user],
    contexts: [namespace === undefined ? context : { ...context, namespace }],
    currentContext: name,
  };
}
