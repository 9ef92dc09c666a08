import { type DataUrlFault, parseDataUrl } from './data-url.ts';
import { type GzipFault, gunzip } from './gzip.ts';
import type { IgnitionContents } from './model.ts';
import { checkHashSpelling, type HashFault, hashLike } from './verification.ts';

/** Most bytes that one file may have after decompression: 16 MiB. */
export const maxContentBytes = 16 * 1024 * 1024;

export type ContentsFault =
  | { readonly part: 'source'; readonly code: DataUrlFault; readonly offset: number }
  | { readonly part: 'source'; readonly code: GzipFault }
  | { readonly part: 'verification'; readonly code: HashFault; readonly actual?: string };

export type DecodeResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | ({ readonly ok: false } & ContentsFault);

/**
 * Decodes a file's contents: data URL, then gzip where declared, then the verification hash over the
 * result. Contents without a source, or with an empty one, are an empty file and nothing is verified.
 *
 * @param limit Most bytes that may come out of the decompression. Default {@link maxContentBytes}.
 */
export function tryDecodeContents(
  contents: IgnitionContents | undefined,
  limit = maxContentBytes,
): DecodeResult {
  const source = contents?.source ?? '';
  if (source === '') return { ok: true, bytes: new Uint8Array() };
  const url = parseDataUrl(source);
  if (!url.ok) return { ok: false, part: 'source', code: url.fault, offset: url.offset };
  if (contents?.compression !== 'gzip') return verify(url.bytes, contents);
  const plain = gunzip(url.bytes, limit);
  if (!plain.ok) return { ok: false, part: 'source', code: plain.fault };
  return verify(plain.bytes, contents);
}

function verify(bytes: Uint8Array, contents: IgnitionContents | undefined): DecodeResult {
  const hash = contents?.verification?.hash;
  if (hash === undefined) return { ok: true, bytes };
  const misspelt = checkHashSpelling(hash);
  if (misspelt !== undefined) return { ok: false, part: 'verification', code: misspelt };
  const actual = hashLike(hash, bytes) ?? '';
  if (actual === hash.toLowerCase()) return { ok: true, bytes };
  return { ok: false, part: 'verification', code: 'hash-mismatch', actual };
}
