import type { MachineConfig } from '@slipway/api';
import { canonicalJson } from '@slipway/base';
import { sha256 } from '@slipway/ignition';

const digestDigits = 32;

/** `rendered-<pool>-<hash>`: the same content has the same name, also after a revert. */
export function renderedName(pool: string, spec: MachineConfig['spec']): string {
  const digest = sha256(new TextEncoder().encode(canonicalJson(spec ?? {})));
  const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `rendered-${pool}-${digits.slice(0, digestDigits)}`;
}
