import {
  encodeDataUrl,
  type IgnitionContents,
  located,
  memberOf,
  type ObjectNode,
  type SyntaxNode,
  tryDecodeContents,
  withMember,
  withoutMembers,
} from '@slipway/ignition';
import type { ConversionReport } from './conversion-report.ts';

/**
 * Joins what a file declares and what it appends to that, which is the same file in the end. What appends to a file
 * that was there before has no counterpart: `undefined`, and reported.
 */
export function foldAppended(report: ConversionReport, file: ObjectNode): ObjectNode | undefined {
  const append = memberOf(file, 'append');
  const whole = withoutMembers(file, ['append']);
  if (append === undefined || append.kind === 'null') return whole;
  // Not a list: validation says so.
  if (append.kind !== 'array') return file;
  if (append.items.length === 0) return whole;
  const contents = memberOf(file, 'contents');
  if (contents === undefined || sourceOf(contents) === undefined) {
    report.dropped(append, {
      message:
        'the file is left out: it appends to what the host has, and only whole files are declared',
      hint: 'declare the file as a whole',
    });
    return undefined;
  }
  const bytes = joined([contents, ...append.items]);
  if (bytes === undefined) {
    report.dropped(append, {
      message: 'the file is left out: not all that it appends is embedded, so it cannot be joined',
      hint: 'embed every part as a data URL',
    });
    return undefined;
  }
  report.changed(append, { message: 'what is appended is joined to the contents of the file' });
  const url: SyntaxNode = { ...located(contents), kind: 'string', value: encodeDataUrl(bytes) };
  const source: ObjectNode = { ...located(contents), kind: 'object', members: [] };
  return withMember(whole, 'contents', withMember(source, 'source', url));
}

function sourceOf(contents: SyntaxNode): string | undefined {
  const source = memberOf(contents, 'source');
  return source?.kind === 'string' ? source.value : undefined;
}

function joined(parts: readonly SyntaxNode[]): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    const contents = contentsOf(part);
    const decoded = contents && tryDecodeContents(contents);
    if (!decoded?.ok) return undefined;
    pieces.push(decoded.bytes);
  }
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** The contents as the decoder takes them; `undefined` for what it does not know. */
function contentsOf(node: SyntaxNode): IgnitionContents | undefined {
  const source = sourceOf(node);
  const compression = memberOf(node, 'compression');
  const verification = memberOf(node, 'verification');
  const hash = verification && memberOf(verification, 'hash');
  if (source === undefined || (hash && hash.kind !== 'string' && hash.kind !== 'null')) return;
  const isPlain =
    compression === undefined ||
    compression.kind === 'null' ||
    (compression.kind === 'string' && compression.value === '');
  const isGzip = compression?.kind === 'string' && compression.value === 'gzip';
  if (!isPlain && !isGzip) return undefined;
  return {
    source,
    ...(isGzip && { compression: 'gzip' as const }),
    ...(hash?.kind === 'string' && { verification: { hash: hash.value } }),
  };
}
