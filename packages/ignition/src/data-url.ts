import { decodeBase64 } from './base64.ts';

/** Why a data URL was refused; each is a code of the catalogue. */
export type DataUrlFault =
  | 'dataurl-prefix'
  | 'dataurl-no-comma'
  | 'dataurl-after-prefix'
  | 'dataurl-no-slash'
  | 'dataurl-media-type-char'
  | 'dataurl-media-type'
  | 'dataurl-media-incomplete'
  | 'dataurl-subtype-char'
  | 'dataurl-param-unterminated'
  | 'dataurl-param-attr-char'
  | 'dataurl-param-value-char'
  | 'dataurl-param-unclosed'
  | 'dataurl-param-unquote'
  | 'dataurl-not-base64-token'
  | 'dataurl-data-char'
  | 'dataurl-percent-truncated'
  | 'dataurl-percent-invalid'
  | 'dataurl-base64';

export type DataUrl =
  | {
      readonly ok: true;
      /** Type, subtype and parameters sorted by name; `text/plain;charset=US-ASCII` when none is given. */
      readonly mediaType: string;
      readonly bytes: Uint8Array;
    }
  /** `offset` is where in the URL the fault is. */
  | { readonly ok: false; readonly fault: DataUrlFault; readonly offset: number };

const prefix = 'data:';
const knownTypes = ['text', 'image', 'audio', 'video', 'application', 'message', 'multipart'];
/** Printable ASCII without space and without the separators of a media type. */
const token = /[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]*/y;
const plainData = /[!$%&'()*+,\-./0-9:;=?@A-Z_a-z~]*/y;
const base64Data = /[A-Za-z0-9+/=\n]*/y;

type Fault = Extract<DataUrl, { ok: false }>;

function fail(fault: DataUrlFault, offset: number): Fault {
  return { ok: false, fault, offset };
}

/** Where `pattern` (sticky) stops matching from `start` on. */
function skip(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/**
 * Reads a data URL (RFC 2397) exactly as strictly as the reader that hosts of Ignition systems have: what
 * that one refuses is refused here, before it can reach a host.
 */
export function parseDataUrl(url: string): DataUrl {
  if (!url.startsWith(prefix)) return fail('dataurl-prefix', 0);
  const media = readMediaType(url);
  if (!media.ok) return media;
  const parameters = readParameters(url, media.end);
  if (!parameters.ok) return parameters;
  const bytes = readBytes(url, parameters.end, parameters.isBase64);
  if (!(bytes instanceof Uint8Array)) return bytes;
  return { ok: true, mediaType: describeMediaType(media, parameters.values), bytes };
}

type MediaType = {
  readonly ok: true;
  readonly end: number;
  readonly type: string;
  readonly subtype: string;
};

function readMediaType(url: string): MediaType | Fault {
  const start = prefix.length;
  const first = url[start];
  if (first === undefined) return fail('dataurl-no-comma', start);
  if (first === ';' || first === ',') return { ok: true, end: start, type: '', subtype: '' };
  const slash = skip(token, url, start);
  if (slash === start) return fail('dataurl-after-prefix', start);
  if (slash === url.length) return fail('dataurl-no-slash', slash);
  if (url[slash] !== '/') return fail('dataurl-media-type-char', slash);
  const type = url.slice(start, slash);
  const isKnown = /^x-/i.test(type) || knownTypes.some((known) => type.startsWith(known));
  if (!isKnown) return fail('dataurl-media-type', start);
  const end = skip(token, url, slash + 1);
  if (end === url.length) return fail('dataurl-media-incomplete', end);
  if (url[end] !== ';' && url[end] !== ',') return fail('dataurl-subtype-char', end);
  return { ok: true, end, type, subtype: url.slice(slash + 1, end) };
}

type Parameters = {
  readonly ok: true;
  /** Offset of the first character of the data. */
  readonly end: number;
  readonly isBase64: boolean;
  readonly values: ReadonlyMap<string, string>;
};

function readParameters(url: string, start: number): Parameters | Fault {
  const values = new Map<string, string>();
  let offset = start;
  while (url[offset] === ';') {
    const nameEnd = skip(token, url, offset + 1);
    const name = url.slice(offset + 1, nameEnd);
    if (url[nameEnd] !== '=' || name === '') return readBase64Marker(url, offset, nameEnd, values);
    const value = readParameterValue(url, nameEnd + 1);
    if (!value.ok) return value;
    values.set(name, value.value);
    offset = value.end;
  }
  if (offset >= url.length) return fail('dataurl-no-comma', offset);
  if (url[offset] !== ',') return fail('dataurl-param-value-char', offset);
  return { ok: true, end: offset + 1, isBase64: false, values };
}

/** What follows a semicolon and is no `name=value`: only `base64` before the comma is right. */
function readBase64Marker(
  url: string,
  semicolon: number,
  end: number,
  values: ReadonlyMap<string, string>,
): Parameters | Fault {
  const name = url.slice(semicolon + 1, end);
  const after = url[end];
  if (after === undefined || (name === '' && (after === ',' || after === '='))) {
    return fail('dataurl-param-unterminated', semicolon);
  }
  if (after !== ',') return fail('dataurl-param-attr-char', end);
  if (name !== 'base64') return fail('dataurl-not-base64-token', semicolon + 1);
  return { ok: true, end: end + 1, isBase64: true, values };
}

type ParameterValue = { readonly ok: true; readonly value: string; readonly end: number };

function readParameterValue(url: string, start: number): ParameterValue | Fault {
  if (url[start] === '"') return readQuotedValue(url, start);
  const end = skip(token, url, start);
  if (end === start) return fail('dataurl-param-value-char', start);
  const decoded = decodePercent(url.slice(start, end));
  if (!(decoded instanceof Uint8Array)) return fail(decoded, start);
  return { ok: true, value: new TextDecoder().decode(decoded), end };
}

function readQuotedValue(url: string, start: number): ParameterValue | Fault {
  let value = '';
  for (let offset = start + 1; offset < url.length; offset += 1) {
    const character = url[offset] ?? '';
    if (character === '"') return { ok: true, value, end: offset + 1 };
    if (!/[ -~]/.test(character)) return fail('dataurl-param-value-char', offset);
    if (character !== '\\') {
      value += character;
      continue;
    }
    const escaped = readEscape(url, offset + 1);
    if (escaped === undefined) return fail('dataurl-param-unquote', offset);
    value += escaped.value;
    offset = escaped.last;
  }
  return fail('dataurl-param-unclosed', start);
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** The escape after a backslash; `last` is the offset of its last character. */
function readEscape(url: string, start: number): { value: string; last: number } | undefined {
  const simple = simpleEscapes[url[start] ?? ''];
  if (simple !== undefined) return { value: simple, last: start };
  const digits = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-3][0-7]{2}))/i.exec(
    url.slice(start, start + 9),
  );
  if (digits === null) return undefined;
  const [whole, byte, short, long, octal] = digits;
  const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(byte ?? short ?? long ?? '', 16);
  if (code > 0x10_ff_ff) return undefined;
  return { value: String.fromCodePoint(code), last: start + whole.length - 1 };
}

function readBytes(url: string, start: number, isBase64: boolean): Uint8Array | Fault {
  const end = skip(isBase64 ? base64Data : plainData, url, start);
  if (end !== url.length) return fail('dataurl-data-char', end);
  const text = url.slice(start);
  if (isBase64) {
    return decodeBase64(text.replaceAll('\n', '')) ?? fail('dataurl-base64', start);
  }
  const decoded = decodePercent(text);
  return decoded instanceof Uint8Array ? decoded : fail(decoded, start);
}

function decodePercent(
  text: string,
): Uint8Array | 'dataurl-percent-truncated' | 'dataurl-percent-invalid' {
  const bytes = new Uint8Array(text.length);
  let written = 0;
  for (let index = 0; index < text.length; index += 1) {
    let byte = text.charCodeAt(index);
    if (byte === 0x25) {
      if (index + 2 >= text.length) return 'dataurl-percent-truncated';
      byte = hexDigit(text.charCodeAt(index + 1)) * 16 + hexDigit(text.charCodeAt(index + 2));
      if (Number.isNaN(byte)) return 'dataurl-percent-invalid';
      index += 2;
    }
    bytes[written] = byte;
    written += 1;
  }
  return bytes.slice(0, written);
}

/** Value of a hexadecimal digit by its character code; NaN for any other character. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

function describeMediaType(media: MediaType, values: ReadonlyMap<string, string>): string {
  const isDefault = media.type === '';
  const all = new Map(isDefault ? [['charset', 'US-ASCII'], ...values] : values);
  const type = isDefault ? 'text' : media.type;
  const subtype = media.subtype === '' ? 'plain' : media.subtype;
  const parameters = [...all].sort(([left], [right]) => (left < right ? -1 : 1));
  return [`${type}/${subtype}`, ...parameters.map(([name, value]) => `${name}=${value}`)].join(';');
}
