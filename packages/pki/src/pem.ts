import { UserError } from '@slipway/base';
import type { PkiErrorCode } from './errors.ts';

/** One `-----BEGIN label-----` block. */
export type PemBlock = { readonly label: string; readonly der: Uint8Array };

const block = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/** All blocks of a PEM text, in order; text around them is ignored, as openssl does. */
export function parsePem(text: string): readonly PemBlock[] {
  return [...text.matchAll(block)].map(([, label = '', body = '']) => ({
    label,
    // Headers (`Proc-Type: …`) end at an empty line; the base64 part has no colon.
    der: Buffer.from(body.replace(/^[^\n]*:[^\n]*$/gm, ''), 'base64'),
  }));
}

/** PEM text of one block: 64 characters a line, a newline at the end. */
export function encodePem(label: string, der: Uint8Array): string {
  const base64 = Buffer.from(der).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The first block with `label`; throws a UserError when there is none. */
export function requirePemBlock(text: string, label: string): PemBlock {
  const blocks = parsePem(text);
  const found = blocks.find((candidate) => candidate.label === label);
  if (found !== undefined) return found;
  const seen = blocks.length === 0 ? 'no PEM block' : blocks.map((each) => each.label).join(', ');
  const code: PkiErrorCode = 'pki.pem.malformed';
  throw new UserError(`read PEM: expected a ${label} block, found ${seen}`, { code });
}
