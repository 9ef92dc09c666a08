import type { ConfigMap } from '@slipway/api';
import { TerminalError } from '@slipway/base';
import { isForbidden, isUnauthorized } from '@slipway/kube';
import { type BootstrapToken, formatBootstrapToken } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';
import { fetchClusterInfo, isSignedByAny, kubeconfigOf } from './cluster-info.ts';
import { readClusterEntry } from './cluster-kubeconfig.ts';
import { pinnedAuthorities } from './pins.ts';

type Asked = {
  readonly token: BootstrapToken;
  readonly pins: readonly string[];
  readonly signal?: AbortSignal;
};

/**
 * Why cluster-info carries no signature of the token. Expired, deleted and never created look the same
 * there; where a pin vouches for the other end, the cluster itself is asked whether it accepts the token.
 */
export async function explainUnsigned(
  asked: Asked,
  server: string,
  clusterInfo: ConfigMap,
): Promise<TerminalError> {
  const { token } = asked;
  const standing = await standingOf(asked, server, clusterInfo);
  if (standing === 'accepted') {
    return unsigned(
      'bootstrap.discovery.unsigned',
      `token ${token.id} is accepted, but signs nothing: its usages must include signing, and ` +
        'kube-controller-manager must run the controller bootstrapsigner',
    );
  }
  if (standing === 'unknown' && !isSignedByAny(clusterInfo)) {
    return unsigned(
      'bootstrap.discovery.unsigned',
      `no token has signed it: token ${token.id} and all others expired, or kube-controller-manager ` +
        'does not run the controller bootstrapsigner',
    );
  }
  return unsigned(
    'bootstrap.discovery.token-unknown',
    `the cluster does not know token ${token.id}: it expired, was deleted or is of another cluster`,
  );
}

function unsigned(code: BootstrapErrorCode, why: string): TerminalError {
  return new TerminalError(`read cluster-info: ${why}`, { code });
}

async function standingOf(
  asked: Asked,
  server: string,
  clusterInfo: ConfigMap,
): Promise<'accepted' | 'refused' | 'unknown'> {
  const { token, pins } = asked;
  try {
    const kubeconfig = kubeconfigOf(clusterInfo);
    const claimed = readClusterEntry(kubeconfig, 'bootstrap.discovery.malformed');
    // Nothing is signed here, and others may stand beside the pinned authority: the token goes to
    // nobody but who shows a certificate of the pinned key.
    const pinned = pinnedAuthorities(claimed.certificateAuthorityPem, pins);
    if (pinned === '') return 'unknown';
    const connection = {
      server,
      certificateAuthority: { pem: pinned },
      token: { secret: formatBootstrapToken(token) },
    };
    await fetchClusterInfo(connection, asked);
    return 'accepted';
  } catch (error) {
    if (isUnauthorized(error)) return 'refused';
    return isForbidden(error) ? 'accepted' : 'unknown';
  }
}
