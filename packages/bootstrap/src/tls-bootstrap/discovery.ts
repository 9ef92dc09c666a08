import { type ConfigMap, configMaps } from '@slipway/api';
import { type Clock, describeError, TerminalError, TransientError } from '@slipway/base';
import { type ConnectionConfig, createKubeClient } from '@slipway/kube';
import type { BootstrapToken } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';
import { checkPins, isSignedBy, verifiedKubeconfig } from './cluster-info.ts';
import { type ClusterEntry, readClusterEntry } from './cluster-kubeconfig.ts';
import { waitFor } from './wait-for.ts';

export type DiscoveryRequest = {
  /** `https://host:port`, as the user typed it. */
  readonly endpoint: string;
  readonly token: BootstrapToken;
  /** `sha256:<hex>` of the authorities that are trusted; at least one. */
  readonly pins: readonly string[];
  readonly clock: Clock;
  /** How long to wait for the cluster and for the signature; default 5 minutes, as kubeadm. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

const clusterInfoKey = { namespace: 'kube-public', name: 'cluster-info' };

async function fetchClusterInfo(
  connection: ConnectionConfig,
  signal: AbortSignal | undefined,
): Promise<ConfigMap> {
  const client = createKubeClient(connection, { timeoutMs: 10_000 });
  try {
    return await client.get(configMaps, clusterInfoKey, signal === undefined ? {} : { signal });
  } finally {
    client.close();
  }
}

/**
 * Finds out where the cluster is and whom it trusts, by token and pins: anonymous fetch of cluster-info,
 * signature, pins, then the same again over the now verifiable connection, which must read the same.
 */
export async function discoverCluster(request: DiscoveryRequest): Promise<ClusterEntry> {
  const { endpoint, token, pins, clock, timeoutMs = 300_000, signal } = request;
  const clusterInfo = await waitFor<ConfigMap>(
    {
      clock,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      expired: (last) => timeoutError(endpoint, token, last),
    },
    async () => {
      const found = await fetchClusterInfo(
        { server: endpoint, insecureSkipTlsVerify: true },
        signal,
      );
      return isSignedBy(found, token) ? found : undefined;
    },
  );
  const kubeconfig = verifiedKubeconfig(clusterInfo, token);
  const cluster = readClusterEntry(kubeconfig, 'bootstrap.discovery.malformed');
  checkPins(cluster.certificateAuthorityPem, pins);
  const again = await fetchClusterInfo(
    { server: endpoint, certificateAuthority: { pem: cluster.certificateAuthorityPem } },
    signal,
  );
  if (verifiedKubeconfig(again, token) !== kubeconfig) {
    const code: BootstrapErrorCode = 'bootstrap.discovery.changed';
    throw new TerminalError('discover cluster: cluster-info changed between two reads', { code });
  }
  return cluster;
}

function timeoutError(endpoint: string, token: BootstrapToken, last: unknown): TransientError {
  const code: BootstrapErrorCode = 'bootstrap.discovery.timeout';
  const cause =
    last === undefined
      ? `cluster-info is not signed for token ${token.id}: it expired or was never created`
      : describeError(last);
  return new TransientError(`discover cluster at ${endpoint}: ${cause}`, { code, cause: last });
}
