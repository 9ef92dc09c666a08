import { TerminalError } from '@slipway/base';
import {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  parseKubeconfig,
  renderKubeconfig,
  singleUserKubeconfig,
} from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';

/** The cluster of a kubeconfig that names exactly one. */
export type ClusterEntry = { readonly server: string; readonly certificateAuthorityPem: string };

/** Name that kubeadm gives to the cluster in the kubeconfigs of a joining node. */
export const clusterName = 'kubernetes';

/**
 * The one cluster of a kubeconfig: all that cluster-info and kubelet.conf tell. Throws a TerminalError
 * with `code` when there is not exactly one with an https server and an embedded authority.
 */
export function readClusterEntry(text: string, code: BootstrapErrorCode): ClusterEntry {
  const [cluster, ...others] = clustersOf(text, code);
  const authority = cluster?.certificateAuthority;
  const isWhole = cluster?.server.startsWith('https://') === true && others.length === 0;
  if (!isWhole || authority === undefined || !('pem' in authority)) {
    throw new TerminalError(
      'read kubeconfig: expected exactly one cluster with an https server and its authority',
      { code },
    );
  }
  return { server: cluster.server, certificateAuthorityPem: authority.pem };
}

function clustersOf(text: string, code: BootstrapErrorCode) {
  try {
    return parseKubeconfig(text).clusters;
  } catch (cause) {
    throw new TerminalError('read kubeconfig: it is malformed', { code, cause });
  }
}

/** The cluster that a kubeconfig means: the one without a name, else that of its current context. */
export function chosenCluster(kubeconfig: Kubeconfig): KubeconfigCluster | undefined {
  const unnamed = kubeconfig.clusters.find(({ name }) => name === '');
  return unnamed ?? kubeconfig.clusters.find(({ name }) => name === contextOf(kubeconfig)?.cluster);
}

/** The user of the current context, if the kubeconfig has one. */
export function chosenUser(kubeconfig: Kubeconfig): KubeconfigUser | undefined {
  return kubeconfig.users.find(({ name }) => name === contextOf(kubeconfig)?.user);
}

function contextOf({ contexts, currentContext }: Kubeconfig) {
  return contexts.find(({ name }) => name === currentContext);
}

/** Text of the kubeconfig in cluster-info: a cluster without name, nobody's credentials. */
export function clusterInfoKubeconfig({ server, certificateAuthorityPem }: ClusterEntry): string {
  const cluster = { name: '', server, certificateAuthority: { pem: certificateAuthorityPem } };
  return renderKubeconfig({ clusters: [cluster], contexts: [], users: [] });
}

/** Text of kubelet.conf: the client certificate and key are read from `credentialPath`, which is renewed. */
export function kubeletKubeconfig(
  { server, certificateAuthorityPem }: ClusterEntry,
  nodeName: string,
  credentialPath: string,
): string {
  const file = { path: credentialPath };
  return renderKubeconfig(
    singleUserKubeconfig(
      { name: clusterName, server, certificateAuthority: { pem: certificateAuthorityPem } },
      { name: `system:node:${nodeName}`, clientCertificate: file, clientKey: file },
    ),
  );
}
