import { sha256 } from './sha256.ts';
import { sha512 } from './sha512.ts';

/** Why a verification hash was refused; each is a code of the catalogue. */
export type HashFault =
  | 'hash-malformed'
  | 'hash-function'
  | 'hash-size'
  | 'hash-hex'
  | 'hash-mismatch';

const functions: Readonly<
  Record<string, { digits: number; digest(bytes: Uint8Array): Uint8Array }>
> = {
  sha256: { digits: 64, digest: sha256 },
  sha512: { digits: 128, digest: sha512 },
};

/** Checks the spelling of a hash such as `sha256-2d71…`; `undefined` when it is right. */
export function checkHashSpelling(hash: string): Exclude<HashFault, 'hash-mismatch'> | undefined {
  const dash = hash.indexOf('-');
  if (dash < 0) return 'hash-malformed';
  const known = functions[hash.slice(0, dash)];
  if (known === undefined || !Object.hasOwn(functions, hash.slice(0, dash))) return 'hash-function';
  const digits = hash.slice(dash + 1);
  if (digits.length !== known.digits) return 'hash-size';
  return /^[0-9a-fA-F]+$/.test(digits) ? undefined : 'hash-hex';
}

/** The hash of `bytes` by the function that `hash` names, in Ignition's spelling; `undefined` for a misspelt one. */
export function hashLike(hash: string, bytes: Uint8Array): string | undefined {
  if (checkHashSpelling(hash) !== undefined) return undefined;
  const name = hash.slice(0, hash.indexOf('-'));
  const digest = functions[name]?.digest(bytes) ?? new Uint8Array();
  return `${name}-${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
