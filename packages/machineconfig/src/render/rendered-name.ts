import { sha256 } from '@slipway/ignition';

const digestDigits = 32;

/**
 * `rendered-<pool>-<hash>` for the canonical JSON text of a spec, in UTF-8: the same content has the same
 * name, also after a revert.
 */
export function renderedName(pool: string, canonicalSpec: Uint8Array): string {
  const digest = sha256(canonicalSpec);
  const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `rendered-${pool}-${digits.slice(0, digestDigits)}`;
}
