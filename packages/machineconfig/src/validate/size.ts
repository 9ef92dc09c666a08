import type { Issue } from '@slipway/base';
import { issueCode } from '../errors.ts';

const mebibyte = 1024 * 1024;
/** Above this many bytes of spec a configuration draws a warning. */
export const sizeWarningBytes = mebibyte;
/** Above this many bytes of spec a configuration is refused: the API server's store takes no more. */
export const sizeLimitBytes = 1.5 * mebibyte;

/** Bytes of a spec as it is stored. */
export function sizeOf(spec: unknown): number {
  return new TextEncoder().encode(JSON.stringify(spec ?? {})).length;
}

function inMebibytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(2)} MiB`;
}

/** How much one MachineConfig brings into a rendered one. */
export type SourceSize = { readonly source: string; readonly bytes: number };

/** Why a configuration is too large, or soon will be; the largest of `sources` are named. */
export function sizeIssues(
  bytes: number,
  path: string,
  sources: readonly SourceSize[] = [],
): readonly Issue[] {
  if (bytes <= sizeWarningBytes) return [];
  const largest = [...sources].sort((a, b) => b.bytes - a.bytes).slice(0, 10);
  const table = largest.map((item) => `${item.source} ${inMebibytes(item.bytes)}`).join(', ');
  const refused = bytes > sizeLimitBytes;
  const limit = inMebibytes(refused ? sizeLimitBytes : sizeWarningBytes);
  const consequence = refused
    ? 'and is refused'
    : `; above ${inMebibytes(sizeLimitBytes)} it is refused`;
  return [
    {
      code: refused ? issueCode.tooLarge : issueCode.large,
      severity: refused ? 'error' : 'warning',
      path,
      message: `the configuration has ${inMebibytes(bytes)}, more than ${limit} ${consequence}`,
      hint: table === '' ? 'compress file contents with gzip' : `largest: ${table}`,
    },
  ];
}
