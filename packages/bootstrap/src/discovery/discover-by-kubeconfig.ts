import type { ConfigMap } from '@slipway/api';
import { describeError, TerminalError, TransientError, UserError } from '@slipway/base';
import {
  type ConnectionConfig,
  isForbidden,
  isUnauthorized,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  parseKubeconfig,
} from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';
import { type Waiting, waitFor } from '../waiting/wait-for.ts';
import { fetchClusterInfo, kubeconfigOf } from './cluster-info.ts';
import { chosenCluster, chosenUser } from './cluster-kubeconfig.ts';
import { explainConnection } from './connection-problem.ts';
import { embedAuthority, embedCredentials, type ReadText } from './embed-credentials.ts';

export type KubeconfigDiscovery = Waiting & {
  /** Text of the kubeconfig. */
  readonly text: string;
  /** Names it in errors: a path or an address. */
  readonly source: string;
  /** What relative paths in it are relative to. */
  readonly folder: string;
  readonly readText: ReadText;
  /** The user of the file is not needed: a token will be used for the rest. */
  readonly hasToken: boolean;
  /** Whom to believe the server by while the file has no authority, as PEM. */
  readonly authorities: () => readonly string[];
  readonly onWarning?: (text: string) => void;
};

/** What a discovery file gave: a whole cluster, and its user where it has usable credentials. */
export type KubeconfigDiscovered = {
  readonly cluster: KubeconfigCluster;
  readonly user?: KubeconfigUser;
};

const code: BootstrapErrorCode = 'bootstrap.discovery.file';

/**
 * Takes cluster and credentials from a kubeconfig that the user trusts, with everything embedded, and
 * makes sure that the cluster answers to it. cluster-info completes a missing authority; an unreadable
 * one changes nothing. Throws UserError for the file, TerminalError and TransientError for the cluster.
 */
export async function discoverByKubeconfig(
  request: KubeconfigDiscovery,
): Promise<KubeconfigDiscovered> {
  const { text, source, folder, readText } = request;
  const kubeconfig = parseKubeconfig(text, { source, folder });
  const cluster = await embedAuthority(demandCluster(kubeconfig, source), readText);
  const user = await usableUser(request, kubeconfig);
  const clusterInfo = await readClusterInfo(request, connectionOf(request, cluster, user), user);
  const completed = complete(request, cluster, clusterInfo);
  return { cluster: completed, ...(user === undefined ? {} : { user }) };
}

function demandCluster(kubeconfig: Kubeconfig, source: string): KubeconfigCluster {
  const cluster = chosenCluster(kubeconfig);
  if (cluster === undefined) throw unusable(source, 'its current context names no cluster');
  if (!cluster.server.startsWith('https://')) {
    throw unusable(source, `server ${JSON.stringify(cluster.server)} is not an https address`);
  }
  if (cluster.unsupported !== undefined) {
    throw unusable(source, `its cluster needs ${cluster.unsupported}, which is not supported`);
  }
  return cluster;
}

async function usableUser(
  { source, readText, hasToken }: KubeconfigDiscovery,
  kubeconfig: Kubeconfig,
): Promise<KubeconfigUser | undefined> {
  const user = chosenUser(kubeconfig);
  if (user?.unsupported !== undefined && !hasToken) {
    // The kubelet would have to run it on this host each time; slipway runs programs of nobody else.
    throw unusable(
      source,
      `its user identifies by ${user.unsupported}, which slipway does not support; put a token or a ` +
        'client certificate into it, or give --tls-bootstrap-token',
    );
  }
  const hasCertificate = user?.clientCertificate !== undefined && user.clientKey !== undefined;
  if (user === undefined || !(hasCertificate || user.token !== undefined)) return undefined;
  return await embedCredentials(user, readText);
}

function connectionOf(
  { authorities }: KubeconfigDiscovery,
  { name: _name, unsupported: _no, ...cluster }: KubeconfigCluster,
  user: KubeconfigUser | undefined,
): ConnectionConfig {
  const trusted =
    cluster.certificateAuthority === undefined && cluster.insecureSkipTlsVerify !== true
      ? { ...cluster, certificateAuthority: { pem: authorities().join('\n') } }
      : cluster;
  if (user === undefined) return trusted;
  const { name: _user, unsupported: _method, ...credentials } = user;
  return { ...trusted, ...credentials };
}

/** cluster-info; undefined where the server proved to be the one and refuses to show it. */
async function readClusterInfo(
  request: KubeconfigDiscovery,
  connection: ConnectionConfig,
  user: KubeconfigUser | undefined,
): Promise<ConfigMap | undefined> {
  const { clock, timeoutMs = 300_000, onWarning } = request;
  const { server } = connection;
  const { answer } = await waitFor<{ answer: ConfigMap | undefined }>(
    {
      ...request,
      timeoutMs,
      expired: (last) => timeoutError(server, last),
    },
    async () => {
      try {
        return { answer: await fetchClusterInfo(connection, request) };
      } catch (error) {
        if (isForbidden(error) || (isUnauthorized(error) && user === undefined)) {
          onWarning?.(`cluster-info may not be read; ${server} is the server, so the file is used`);
          return { answer: undefined };
        }
        if (isUnauthorized(error)) throw rejected(request.source, error);
        throw await explainConnection(error, server, clock.now());
      }
    },
  );
  return answer;
}

function complete(
  { onWarning, source }: KubeconfigDiscovery,
  cluster: KubeconfigCluster,
  clusterInfo: ConfigMap | undefined,
): KubeconfigCluster {
  const published = clusterInfo === undefined ? undefined : publishedCluster(clusterInfo);
  if (published !== undefined && published.server !== cluster.server) {
    onWarning?.(`cluster-info names ${published.server}; ${cluster.server} of ${source} is used`);
  }
  const certificateAuthority = cluster.certificateAuthority ?? published?.certificateAuthority;
  if (certificateAuthority === undefined || !('pem' in certificateAuthority)) {
    throw unusable(source, 'it has no certificate authority, and cluster-info neither');
  }
  return { ...cluster, certificateAuthority };
}

function publishedCluster(clusterInfo: ConfigMap): KubeconfigCluster | undefined {
  try {
    return chosenCluster(parseKubeconfig(kubeconfigOf(clusterInfo)));
  } catch {
    // The file is what the user trusts; what cannot be read beside it changes nothing.
    return undefined;
  }
}

function unusable(source: string, why: string): UserError {
  return new UserError(`use discovery file ${source}: ${why}`, { code });
}

function rejected(source: string, cause: unknown): TerminalError {
  return new TerminalError(`use discovery file ${source}: the cluster refuses its credentials`, {
    code: 'bootstrap.discovery.credentials' satisfies BootstrapErrorCode,
    cause,
  });
}

function timeoutError(server: string, last: unknown): TransientError {
  return new TransientError(`read cluster-info of ${server}: ${describeError(last)}`, {
    code: 'bootstrap.discovery.timeout' satisfies BootstrapErrorCode,
    cause: last,
  });
}
