import { type Clock, type Logger, silentLogger, systemClock, TerminalError } from '@slipway/base';
import type { HostFiles } from '@slipway/host';
import { createKubeClient } from '@slipway/kube';
import { type BootstrapToken, formatBootstrapToken, isIssuedBy } from '@slipway/pki';
import type { ClusterEntry } from '../discovery/cluster-kubeconfig.ts';
import { discoverCluster, serverOf } from '../discovery/discover-by-token.ts';
import { matchesPins } from '../discovery/pins.ts';
import {
  dropPendingKey,
  pendingKey,
  readCredential,
  readNodeCluster,
  writeCredential,
  writeNodeCluster,
} from './node-files.ts';
import { checkNodeNameFree } from './node-name-free.ts';
import { requestNodeCertificate } from './request-certificate.ts';

export type JoinRequest = {
  readonly nodeName: string;
  /** `host:port` or `https://host:port`. */
  readonly endpoint: string;
  /** Pins of the cluster's authority: `sha256:<hex>`. */
  readonly pins: readonly string[];
  /** See `DiscoveryRequest`; default false. */
  readonly unsafeSkipCAVerification?: boolean;
  readonly token: BootstrapToken;
  /** The files of the host that joins. */
  readonly files: HostFiles;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** For discovery and for the certificate, each; default 5 minutes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Told what is waited for, each time that it is another. */
  readonly onWait?: (observed: string) => void;
};

/** What a join did: `kept` means that the host had joined before and nothing was asked. */
export type JoinResult = { readonly kind: 'joined' | 'kept' };

/**
 * Brings a host into a cluster: discovery by token and pin, certificate for `system:node:<name>`,
 * kubelet.conf. Done again it changes nothing; broken off it goes on where it was, because the key is
 * stored before it is used. A host whose cluster moved to another address keeps its certificate. A host
 * without a certificate does not get that of a Node that is Ready.
 */
export async function joinNode(request: JoinRequest): Promise<JoinResult> {
  const { nodeName, files, clock = systemClock, logger = silentLogger } = request;
  const known = await readNodeCluster(files);
  const credential = await readCredential(files, nodeName, clock.now());
  const sameCluster =
    known?.server === serverOf(request.endpoint) &&
    matchesPins(known.certificateAuthorityPem, request.pins);
  if (credential !== undefined && sameCluster) return { kind: 'kept' };

  const cluster = await discoverCluster({ ...request, clock });
  const usable =
    credential !== undefined &&
    isIssuedBy(credential.certificatePem, cluster.certificateAuthorityPem);
  if (!usable) {
    await obtainCredential(request, cluster, clock);
    logger.info('node certificate obtained', { node: nodeName, server: cluster.server });
  }
  // Written last: its presence says that the join is complete.
  await writeNodeCluster(files, nodeName, cluster);
  return { kind: 'joined' };
}

async function obtainCredential(
  request: JoinRequest,
  cluster: ClusterEntry,
  clock: Clock,
): Promise<void> {
  const { nodeName, files, token } = request;
  const client = createKubeClient({
    server: cluster.server,
    certificateAuthority: { pem: cluster.certificateAuthorityPem },
    token: { secret: formatBootstrapToken(token) },
  });
  try {
    await checkNodeNameFree(client, nodeName, request.signal);
    const key = await pendingKey(files);
    const certificatePem = await requestNodeCertificate({ ...request, client, key, clock });
    await writeCredential(files, certificatePem, key);
  } catch (error) {
    // A denied key would be denied again.
    if (error instanceof TerminalError) await dropPendingKey(files);
    throw error;
  } finally {
    client.close();
  }
}
