import { briefReason } from './codes.ts';
import { type DecodeResult, maxContentBytes, tryDecodeContents } from './decode-contents.ts';
import { itemsOf, readFields } from './fields.ts';
import type { Findings, Placed } from './findings.ts';
import type { IgnitionContents } from './model.ts';
import { controlCharacterIn, shown } from './path-rules.ts';
import { shapes } from './schema.ts';
import type { ArrayNode, StringNode } from './syntax-tree.ts';
import { checkHashSpelling, type HashFault } from './verification.ts';

/** Most bytes that all files of one config may have after decompression: 64 MiB. */
export const maxConfigBytes = 64 * 1024 * 1024;

/** How much may still be decompressed while one config is read. */
export type DecodeBudget = { left: number };

export type ReadContents = {
  readonly contents: IgnitionContents;
  /** The decoded bytes, where the contents are acceptable. */
  readonly bytes?: Uint8Array;
};

/** Schemes that other systems fetch contents from; any other is taken for a slip. */
const remoteSchemes = [
  ...['http', 'https', 'tftp', 'gs', 's3', 'arn', 'ftp', 'ftps', 'sftp', 'scp', 'ssh', 'git'],
  ...['file', 'oem', 'nfs', 'smb', 'azure', 'oci', 'docker'],
];

type Parts = {
  readonly source: Placed<StringNode> | undefined;
  readonly hash: Placed<StringNode> | undefined;
};

/** Reads and decodes the `contents` of a file. */
export function readContents(
  findings: Findings,
  value: Placed,
  budget: DecodeBudget,
): ReadContents {
  const fields = readFields(findings, value, shapes.contents);
  const source = fields.get('source');
  const verification = fields.get('verification');
  const hash = verification && readFields(findings, verification, shapes.verification).get('hash');
  const scheme = schemeOf(source?.node.value ?? '');
  checkHeaders(findings, fields.get('httpHeaders'), scheme);
  const compression = readCompression(findings, fields.get('compression'));
  const isSpelt = checkHash(findings, hash);
  if (hash !== undefined && source === undefined && !fields.isMistyped('source')) {
    findings.add('verification-without-source', hash, { message: 'there is no source to verify' });
  }
  const contents: IgnitionContents = {
    ...(source && { source: source.node.value }),
    ...(compression !== undefined && { compression }),
    ...(hash && { verification: { hash: hash.node.value } }),
  };
  if (source === undefined || source.node.value === '') {
    return { contents, bytes: new Uint8Array() };
  }
  if (!checkScheme(findings, source, scheme)) return { contents };
  const { verification: _, ...unverified } = contents;
  const bytes = decode(findings, { source, hash }, isSpelt ? contents : unverified, budget);
  return bytes === undefined ? { contents } : { contents, bytes };
}

function checkHeaders(
  findings: Findings,
  headers: Placed<ArrayNode> | undefined,
  scheme: string | undefined,
): void {
  if (headers === undefined || itemsOf(headers).length === 0) return;
  const isWeb = scheme === 'http' || scheme === 'https';
  findings.add(isWeb ? 'unsupported-field' : 'header-scheme', headers, {
    message: 'httpHeaders is not supported: contents are never fetched from a network',
  });
}

function readCompression(
  findings: Findings,
  compression: Placed<StringNode> | undefined,
): '' | 'gzip' | undefined {
  const method = compression?.node.value;
  if (compression === undefined || method === undefined) return undefined;
  if (method === '' || method === 'gzip') return method;
  findings.add('compression-unknown', compression, {
    message: `${shown(method)} is no known compression`,
    hint: method.toLowerCase() === 'gzip' ? 'write gzip in lower case' : 'there is only gzip',
  });
  return undefined;
}

function checkHash(findings: Findings, hash: Placed<StringNode> | undefined): boolean {
  const fault = hash && checkHashSpelling(hash.node.value);
  if (hash === undefined || fault === undefined) return true;
  const messages: Readonly<Record<typeof fault, string>> = {
    'hash-malformed': `${shown(hash.node.value)} is not of the form FUNCTION-DIGEST`,
    'hash-function': `${shown(hash.node.value.split('-', 1)[0] ?? '')} is no known hash function`,
    'hash-size': 'the digest has the wrong number of digits',
    'hash-hex': 'the digest is not hexadecimal',
  };
  findings.add(fault, hash, {
    message: messages[fault],
    hint: 'write sha256- and 64 digits, or sha512- and 128',
  });
  return false;
}

/** Lower-case scheme of a URL; `undefined` when it has none. */
function schemeOf(source: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(source)?.[1]?.toLowerCase();
}

/** True when the source is a data URL, as far as its beginning tells; reports it otherwise. */
function checkScheme(
  findings: Findings,
  source: Placed<StringNode>,
  scheme: string | undefined,
): boolean {
  const { value } = source.node;
  if (scheme !== undefined && remoteSchemes.includes(scheme)) {
    findings.add('source-scheme-unsupported', source, {
      message: `contents from ${scheme}: are not supported: they would be fetched at each host`,
      hint: 'embed the contents as a data URL',
    });
    return false;
  }
  const control = controlCharacterIn(value);
  const isSegmentWithColon = scheme === undefined && /^[^/?#]*:/.test(value);
  if (control !== undefined || isSegmentWithColon) {
    findings.add('url-unparsable', source, {
      message:
        control === undefined
          ? `${shown(value)} is not a URL`
          : `the URL contains the control character ${control}`,
      hint: /\n$/.test(value) ? 'in YAML, write the URL on one line, or use >- for |' : undefined,
    });
    return false;
  }
  if (scheme === 'data') return true;
  findings.add('url-scheme', source, {
    message: `${shown(value)} does not begin with data:`,
    hint: 'write data:,TEXT with percent escapes, or data:;base64,',
  });
  return false;
}

function decode(
  findings: Findings,
  parts: Parts & { readonly source: Placed<StringNode> },
  contents: IgnitionContents,
  budget: DecodeBudget,
): Uint8Array | undefined {
  const result = tryDecodeContents(contents, Math.min(maxContentBytes, budget.left));
  if (result.ok) {
    budget.left -= result.bytes.length;
    return result.bytes;
  }
  reportDecode(findings, parts, result);
  return undefined;
}

function reportDecode(
  findings: Findings,
  { source, hash }: Parts & { readonly source: Placed<StringNode> },
  result: Extract<DecodeResult, { ok: false }>,
): void {
  if (result.part === 'verification') {
    findings.add(result.code, hash ?? source, { message: mismatch(result.code, result.actual) });
    return;
  }
  const isDataUrl = 'offset' in result;
  findings.add(result.code, source, {
    message: isDataUrl
      ? `the data URL is malformed at ${characterAt(source.node.value, result.offset)}: ${briefReason(result.code)}`
      : `the contents cannot be decompressed: ${briefReason(result.code)}`,
    ...(isDataUrl && { offset: result.offset }),
  });
}

/** `character 12 (" ")`, or `its end`. */
function characterAt(url: string, offset: number): string {
  const character = url[offset];
  return character === undefined ? 'its end' : `character ${offset + 1} (${shown(character)})`;
}

function mismatch(code: HashFault, actual: string | undefined): string {
  return code === 'hash-mismatch'
    ? `the contents have the digest ${actual ?? 'of another function'}`
    : 'the hash is misspelt';
}
