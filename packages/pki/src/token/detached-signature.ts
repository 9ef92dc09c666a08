import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BootstrapToken } from './bootstrap-token.ts';

/** Key of the ConfigMap `cluster-info` under which the signature of a token is. */
export function signatureKey(tokenId: string): string {
  return `jws-kubeconfig-${tokenId}`;
}

/**
 * Detached JWS (HS256) over `content`, as the bootstrap signer of Kubernetes makes it: the header names
 * the token's id, the key is its secret part, the payload is left out: `header..signature`.
 */
export function signDetached(content: string, token: BootstrapToken): string {
  const header = base64url(`{"alg":"HS256","kid":"${token.id}"}`);
  const signature = createHmac('sha256', token.secret.reveal())
    .update(`${header}.${base64url(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

/** True when `signature` is the token's over exactly `content`; compared in constant time. */
export function verifyDetached(content: string, signature: string, token: BootstrapToken): boolean {
  const expected = Buffer.from(signDetached(content, token));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
