import { type ConfigMap, configMaps } from '@slipway/api';
import { isJsonObject, TerminalError } from '@slipway/base';
import { type ConnectionConfig, createKubeClient } from '@slipway/kube';
import { type BootstrapToken, signatureKey, verifyDetached } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';
import type { Waiting } from '../waiting/wait-for.ts';
import { matchesPins } from './pins.ts';

const clusterInfoKey = { namespace: 'kube-public', name: 'cluster-info' };
const requestTimeoutMs = 10_000;

/**
 * ConfigMap kube-public/cluster-info, over a connection of its own, within `timeoutMs` and never more than
 * ten seconds. Throws what the client throws.
 */
export async function fetchClusterInfo(
  connection: ConnectionConfig,
  { timeoutMs = requestTimeoutMs, signal }: Pick<Waiting, 'timeoutMs' | 'signal'>,
): Promise<ConfigMap> {
  const client = createKubeClient(connection, {
    timeoutMs: Math.min(requestTimeoutMs, timeoutMs),
  });
  try {
    const options = signal === undefined ? {} : { signal };
    return onlyTexts(await client.get(configMaps, clusterInfoKey, options));
  } finally {
    client.close();
  }
}

/** The texts of an answer. Its type is a promise that nobody keeps who is not known yet. */
function onlyTexts(answer: unknown): ConfigMap {
  const data = isJsonObject(answer) ? answer['data'] : undefined;
  if (!isJsonObject(data)) return {};
  const texts = Object.entries(data).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  return { data: Object.fromEntries(texts) };
}

/** The text of the kubeconfig in cluster-info; empty when there is none. */
export function kubeconfigOf(clusterInfo: ConfigMap): string {
  return clusterInfo.data?.['kubeconfig'] ?? '';
}

/** True when the ConfigMap carries a signature by a token with this id. */
export function isSignedBy(clusterInfo: ConfigMap, token: BootstrapToken): boolean {
  return (clusterInfo.data?.[signatureKey(token.id)] ?? '') !== '';
}

/** True when any token has signed: the cluster's signer works. */
export function isSignedByAny(clusterInfo: ConfigMap): boolean {
  const prefix = signatureKey('');
  return Object.keys(clusterInfo.data ?? {}).some((key) => key.startsWith(prefix));
}

/**
 * The kubeconfig of cluster-info, if it is signed by the token. Nothing else of the answer may be
 * trusted: it came over a connection whose other end is not known yet. `authorityOf` reads the authority
 * out of the unsigned text: only to word the error, which is a TerminalError.
 */
export function verifiedKubeconfig(
  clusterInfo: ConfigMap,
  token: BootstrapToken,
  pinned?: { readonly pins: readonly string[]; readonly authorityPem: string | undefined },
): string {
  const kubeconfig = kubeconfigOf(clusterInfo);
  const signature = clusterInfo.data?.[signatureKey(token.id)] ?? '';
  if (verifyDetached(kubeconfig, signature, token)) return kubeconfig;
  const code: BootstrapErrorCode = 'bootstrap.discovery.signature';
  throw new TerminalError(
    `read cluster-info: not signed by token ${token.id}: ${whoseFault(pinned)}`,
    { code },
  );
}

function whoseFault(pinned: Parameters<typeof verifiedKubeconfig>[2]): string {
  if (pinned?.authorityPem === undefined || pinned.pins.length === 0) {
    return 'the token or the cluster is another';
  }
  return matchesPins(pinned.authorityPem, pinned.pins)
    ? 'the cluster is the pinned one, so the secret part of the token is wrong'
    : 'this is another cluster: its authority is not the pinned one either';
}
