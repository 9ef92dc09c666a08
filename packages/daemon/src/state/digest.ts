import { createHash } from 'node:crypto';

/** `sha256:<hex>` of the bytes. */
export function digestOf(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
