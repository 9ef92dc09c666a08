import { posix } from 'node:path';
import { Secret, UserError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import {
  type ConnectionConfig,
  connectionOf,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  singleUserKubeconfig,
} from '@slipway/kube';
import { parseBootstrapToken } from '@slipway/pki';
import type { Discovery, TokenDiscovery } from '../config/configuration.ts';
import type { BootstrapErrorCode } from '../errors.ts';
import { readHostText } from '../host-text/read-host-text.ts';
import type { Waiting } from '../waiting/wait-for.ts';
import { type ClusterEntry, clusterName } from './cluster-kubeconfig.ts';
import { discoverByKubeconfig, type KubeconfigDiscovered } from './discover-by-kubeconfig.ts';
import { discoverCluster } from './discover-by-token.ts';
import { fetchKubeconfig, machineAuthorities, shownAddress } from './fetch-kubeconfig.ts';

export type DiscoverOptions = Waiting & {
  /** Of the host that joins: where a discovery file and what it names are read. */
  readonly files: HostFiles;
  readonly onWarning?: (text: string) => void;
  /** Whom a discovery address is believed by, as PEM; default: this machine's and the runtime's. */
  readonly authorities?: () => readonly string[];
};

/** Whom to join, and as whom to ask for the node's certificate. */
export type Discovered = {
  readonly cluster: ClusterEntry;
  /** One cluster and one user, all embedded: what bootstrap-kubelet.conf holds. */
  readonly kubeconfig: Kubeconfig;
  /** How a client connects with it. */
  readonly connection: ConnectionConfig;
};

/** Name that kubeadm gives to the user of a bootstrap token in bootstrap-kubelet.conf. */
const tokenUser = 'tls-bootstrap-token-user';

/**
 * Discovery as JoinConfiguration describes it: by token (`discoverCluster`), by file or by https address
 * (`discoverByKubeconfig`). A `tlsBootstrapToken` replaces the credentials of a file. Waits up to
 * `timeoutMs` (default 5 minutes) for what may still come, and fails at once where waiting cannot help.
 */
export async function discover(
  discovery: Discovery,
  options: DiscoverOptions,
): Promise<Discovered> {
  const found =
    'bootstrapToken' in discovery
      ? await byToken(discovery.bootstrapToken, options)
      : await byFile(discovery.file.kubeConfigPath, discovery.tlsBootstrapToken !== '', options);
  return discovered(found, discovery.tlsBootstrapToken);
}

async function byToken(
  { token, apiServerEndpoint, caCertHashes, unsafeSkipCAVerification }: TokenDiscovery,
  options: DiscoverOptions,
): Promise<KubeconfigDiscovered> {
  const { server, certificateAuthorityPem } = await discoverCluster({
    ...options,
    endpoint: apiServerEndpoint,
    token: parseBootstrapToken(token),
    pins: caCertHashes,
    unsafeSkipCAVerification,
  });
  const certificateAuthority = { pem: certificateAuthorityPem };
  return { cluster: { name: clusterName, server, certificateAuthority } };
}

async function byFile(
  path: string,
  hasToken: boolean,
  options: DiscoverOptions,
): Promise<KubeconfigDiscovered> {
  const { files, authorities = machineAuthorities, signal } = options;
  const isAddress = /^https?:\/\//i.test(path);
  const file = path.replace(/^file:\/\//, '');
  const readText = (name: string) => readHostText(files, name);
  const text = isAddress
    ? await fetchKubeconfig({
        address: path,
        authorities: authorities(),
        ...(signal === undefined ? {} : { signal }),
      })
    : await readText(file);
  if (text === undefined) {
    throw new UserError(`read discovery file ${file}: there is none`, {
      code: 'bootstrap.discovery.file' satisfies BootstrapErrorCode,
    });
  }
  const folder = isAddress ? '/' : posix.dirname(file);
  return await discoverByKubeconfig({
    ...options,
    text,
    source: isAddress ? shownAddress(path) : path,
    folder,
    readText,
    hasToken,
    authorities,
  });
}

function discovered(found: KubeconfigDiscovered, tlsBootstrapToken: string): Discovered {
  const user: KubeconfigUser | undefined =
    tlsBootstrapToken === ''
      ? found.user
      : { name: tokenUser, token: { secret: new Secret(tlsBootstrapToken) } };
  if (user === undefined) {
    throw new UserError(
      'discover cluster: neither the discovery file nor the configuration has credentials to ask for a certificate with',
      { code: 'bootstrap.discovery.credentials' satisfies BootstrapErrorCode },
    );
  }
  // As kubeadm: with a token the cluster gets the well-known name, else the file's names stay.
  const name = tlsBootstrapToken === '' ? found.cluster.name : clusterName;
  const cluster: KubeconfigCluster = { ...found.cluster, name };
  const kubeconfig = singleUserKubeconfig(cluster, user);
  const { certificateAuthority } = cluster;
  const pem = certificateAuthority && 'pem' in certificateAuthority ? certificateAuthority.pem : '';
  return {
    cluster: { server: cluster.server, certificateAuthorityPem: pem },
    kubeconfig,
    connection: connectionOf(kubeconfig),
  };
}
