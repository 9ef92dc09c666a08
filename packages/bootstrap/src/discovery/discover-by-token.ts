import type { ConfigMap } from '@slipway/api';
import { describeError, TerminalError, TransientError } from '@slipway/base';
import { isUnauthorized } from '@slipway/kube';
import { type BootstrapToken, inspectCertificate } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';
import { type Waiting, waitFor } from '../waiting/wait-for.ts';
import {
  fetchClusterInfo,
  isSignedBy,
  isSignedByAny,
  kubeconfigOf,
  verifiedKubeconfig,
} from './cluster-info.ts';
import { type ClusterEntry, readClusterEntry } from './cluster-kubeconfig.ts';
import { explainConnection } from './connection-problem.ts';
import { checkPins, parsePins } from './pins.ts';
import { explainUnsigned } from './unsigned.ts';
import { validityProblem } from './validity-problem.ts';

export type DiscoveryRequest = Waiting & {
  /** `host:port` or `https://host:port`, as the user typed it. */
  readonly endpoint: string;
  readonly token: BootstrapToken;
  /** `sha256:<hex>` of the authorities that are trusted; at least one, unless `unsafeSkipCAVerification`. */
  readonly pins: readonly string[];
  /** Believe the signature of the token alone: whoever holds the token can pose as the cluster. Default false. */
  readonly unsafeSkipCAVerification?: boolean;
  /** How long to wait for the cluster and for the signature; default 5 minutes, as kubeadm. */
  readonly timeoutMs?: number;
};

/**
 * How long a signer that has signed for others may take for this token. It signs within a second or two;
 * what is not signed by then is not going to be.
 */
const signingGraceMs = 30_000;

/** `https://host:port` of an endpoint with or without its scheme. */
export function serverOf(endpoint: string): string {
  return endpoint.includes('://') ? endpoint : `https://${endpoint}`;
}

/**
 * Finds out where the cluster is and whom it trusts, by token and pins: anonymous fetch of cluster-info,
 * signature, pins, then the same again over the now verifiable connection, which must read the same.
 * The server of the answer is that of cluster-info, not the one that was typed. Without pins the second
 * fetch is left out. Throws a TerminalError as soon as waiting cannot help, else a TransientError.
 */
export async function discoverCluster(request: DiscoveryRequest): Promise<ClusterEntry> {
  const { token, clock } = request;
  const pins = parsePins(request.pins);
  if (pins.length === 0 && request.unsafeSkipCAVerification !== true) throw noPins();
  const server = serverOf(request.endpoint);
  const clusterInfo = await waitForSignature(request, server);
  const unverified = tryCluster(clusterInfo);
  const authorityPem = unverified?.certificateAuthorityPem;
  const kubeconfig = verifiedKubeconfig(clusterInfo, token, { pins, authorityPem });
  const cluster = readClusterEntry(kubeconfig, 'bootstrap.discovery.malformed');
  if (pins.length > 0) checkPins(cluster.certificateAuthorityPem, pins);
  checkAuthorityClock(cluster, clock.now());
  if (pins.length === 0) return cluster;
  const again = await fetchVerified(request, server, cluster);
  if (kubeconfigOf(again) !== kubeconfig) {
    const code: BootstrapErrorCode = 'bootstrap.discovery.changed';
    throw new TerminalError('discover cluster: cluster-info changed between two reads', { code });
  }
  return cluster;
}

async function waitForSignature(request: DiscoveryRequest, server: string): Promise<ConfigMap> {
  const { token, clock, timeoutMs = 300_000 } = request;
  let unsigned: { readonly since: number; readonly last: ConfigMap } | undefined;
  return await waitFor<ConfigMap>(
    {
      ...request,
      timeoutMs,
      awaited: () => `cluster-info is not signed for token ${token.id} yet`,
      expired: (last) =>
        last === undefined && unsigned !== undefined
          ? explainUnsigned(request, server, unsigned.last)
          : timeoutError(server, last),
    },
    async () => {
      const connection = { server, insecureSkipTlsVerify: true };
      const found = await fetchClusterInfo(connection, request).catch(async (error) =>
        Promise.reject(await explained(request, server, error)),
      );
      if (isSignedBy(found, token)) return found;
      const now = clock.monotonic();
      unsigned = { since: unsigned?.since ?? now, last: found };
      if (isSignedByAny(found) && now - unsigned.since >= signingGraceMs) {
        throw await explainUnsigned(request, server, found);
      }
      return undefined;
    },
  );
}

async function fetchVerified(
  request: DiscoveryRequest,
  server: string,
  { certificateAuthorityPem }: ClusterEntry,
): Promise<ConfigMap> {
  const { timeoutMs = 300_000 } = request;
  const connection = { server, certificateAuthority: { pem: certificateAuthorityPem } };
  return await waitFor<ConfigMap>(
    { ...request, timeoutMs, expired: (last) => timeoutError(server, last) },
    () =>
      fetchClusterInfo(connection, request).catch(async (error) =>
        Promise.reject(await explained(request, server, error)),
      ),
  );
}

/** The failure of a fetch, with its reason where another try cannot help. */
async function explained(
  { clock }: DiscoveryRequest,
  server: string,
  error: unknown,
): Promise<unknown> {
  if (!isUnauthorized(error)) return await explainConnection(error, server, clock.now());
  const code: BootstrapErrorCode = 'bootstrap.discovery.anonymous';
  return new TerminalError(
    `discover cluster at ${server}: it does not answer who does not identify (--anonymous-auth=false), ` +
      'so a token cannot discover it; give a discovery file',
    { code, cause: error },
  );
}

function checkAuthorityClock({ certificateAuthorityPem }: ClusterEntry, now: number): void {
  const what = 'the authority of the cluster';
  const problem = validityProblem(what, inspectCertificate(certificateAuthorityPem), now);
  if (problem === undefined) return;
  const code: BootstrapErrorCode = 'bootstrap.discovery.clock';
  throw new TerminalError(`discover cluster: ${problem}`, { code });
}

/** The cluster that an unverified cluster-info claims, to tell what is wrong with it. */
function tryCluster(clusterInfo: ConfigMap): ClusterEntry | undefined {
  try {
    return readClusterEntry(kubeconfigOf(clusterInfo), 'bootstrap.discovery.malformed');
  } catch {
    // What it is worth is judged by its signature first.
    return undefined;
  }
}

function noPins(): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.discovery.pin';
  return new TerminalError(
    'discover cluster: no pin of its authority given, so whoever has the token could pose as it',
    { code },
  );
}

function timeoutError(server: string, last: unknown): TransientError {
  const code: BootstrapErrorCode = 'bootstrap.discovery.timeout';
  const cause = last === undefined ? 'cluster-info is not there' : describeError(last);
  return new TransientError(`discover cluster at ${server}: ${cause}`, { code, cause: last });
}
