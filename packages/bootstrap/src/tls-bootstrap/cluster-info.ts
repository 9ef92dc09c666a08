import type { ConfigMap } from '@slipway/api';
import { TerminalError } from '@slipway/base';
import {
  type BootstrapToken,
  encodePem,
  parsePem,
  publicKeyPin,
  signatureKey,
  verifyDetached,
} from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';

function refusal(code: BootstrapErrorCode, message: string, cause?: unknown): TerminalError {
  return new TerminalError(`read cluster-info: ${message}`, { code, cause });
}

/** True when the ConfigMap carries a signature by a token with this id. */
export function isSignedBy(clusterInfo: ConfigMap, token: BootstrapToken): boolean {
  return clusterInfo.data?.[signatureKey(token.id)] !== undefined;
}

/**
 * The kubeconfig of ConfigMap kube-public/cluster-info, if it is signed by the token. Nothing else of
 * the answer may be trusted: it came over a connection whose other end is not known yet.
 */
export function verifiedKubeconfig(clusterInfo: ConfigMap, token: BootstrapToken): string {
  const kubeconfig = clusterInfo.data?.['kubeconfig'] ?? '';
  const signature = clusterInfo.data?.[signatureKey(token.id)] ?? '';
  if (verifyDetached(kubeconfig, signature, token)) return kubeconfig;
  throw refusal(
    'bootstrap.discovery.signature',
    `not signed by token ${token.id}: the token or the cluster is another`,
  );
}

/** True when one of the authorities has one of the pins; `sha256:<hex>`, any case. */
export function matchesPins(certificateAuthorityPem: string, pins: readonly string[]): boolean {
  const wanted = pins.map((pin) => pin.toLowerCase());
  return authorityPins(certificateAuthorityPem).some((pin) => wanted.includes(pin));
}

/** Throws a TerminalError unless `matchesPins`. */
export function checkPins(certificateAuthorityPem: string, pins: readonly string[]): void {
  if (matchesPins(certificateAuthorityPem, pins)) return;
  const seen = authorityPins(certificateAuthorityPem).join(', ') || '(none)';
  throw refusal(
    'bootstrap.discovery.pin',
    `authority ${seen} matches none of ${pins.join(', ') || '(no pin given)'}`,
  );
}

function authorityPins(pem: string): readonly string[] {
  return parsePem(pem)
    .filter((block) => block.label === 'CERTIFICATE')
    .map((block) => publicKeyPin(encodePem(block.label, block.der)));
}
