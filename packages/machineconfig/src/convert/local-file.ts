import type { SyntaxNode } from '@slipway/ignition';
import { issueCode } from '../errors.ts';
import type { ConversionReport } from './conversion-report.ts';

/** A file beside a Butane config, or why there is none. */
export type LocalFile = { readonly bytes: Uint8Array } | { readonly fault: string };

/** Reads the file of a relative path; the caller confines it to a directory. */
export type ReadLocalFile = (path: string) => LocalFile;

/** The bytes of a file that a node names; reported and `undefined` when they cannot be had. */
export function localBytes(
  report: ConversionReport,
  node: SyntaxNode,
  readLocal: ReadLocalFile | undefined,
): Uint8Array | undefined {
  if (node.kind !== 'string') {
    report.refuse(issueCode.wrongType, node, { message: `must be a text, not ${node.kind}` });
    return undefined;
  }
  if (readLocal === undefined) {
    report.refuse(issueCode.convertLocalFile, node, {
      message: `local file ${JSON.stringify(node.value)} is not read: no directory was given for such files`,
      hint: 'give it with --files-dir, or embed the text with inline or contents',
    });
    return undefined;
  }
  const file = readLocal(node.value);
  if ('bytes' in file) return file.bytes;
  report.refuse(issueCode.convertLocalFile, node, {
    message: `read local file ${JSON.stringify(node.value)}: ${file.fault}`,
    hint: 'paths are relative to --files-dir, and stay within it',
  });
  return undefined;
}

/** The same as text. */
export function localText(
  report: ConversionReport,
  node: SyntaxNode,
  readLocal: ReadLocalFile | undefined,
): string | undefined {
  const bytes = localBytes(report, node, readLocal);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    report.refuse(issueCode.convertLocalFile, node, { message: 'the local file is not UTF-8' });
    return undefined;
  }
}
