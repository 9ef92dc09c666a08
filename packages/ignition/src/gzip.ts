import { crc32 } from './crc32.ts';
import { inflate } from './inflate.ts';
import type { InflateFault } from './inflate-fault.ts';

/** Why gzip data was refused; each is a code of the catalogue. */
export type GzipFault =
  | 'gzip-empty'
  | 'gzip-header'
  | 'gzip-truncated'
  | 'gzip-corrupt'
  | 'gzip-checksum'
  | 'gzip-too-large';

export type GunzipResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: GzipFault };

/** Identification and compression method "deflate". */
const magic = [0x1f, 0x8b, 8];
const headerSize = 10;
const trailerSize = 8;
const inflateFaults: Readonly<Record<InflateFault, GzipFault>> = {
  truncated: 'gzip-truncated',
  corrupt: 'gzip-corrupt',
  'too-large': 'gzip-too-large',
};

/**
 * Decompresses gzip data (RFC 1952). Members that follow one another are joined; anything else after a
 * member is refused, zero padding included, since the host's reader refuses it too.
 *
 * @param limit Most bytes that may come out.
 */
export function gunzip(input: Uint8Array, limit: number): GunzipResult {
  if (input.length === 0) return { ok: false, fault: 'gzip-empty' };
  const members: Uint8Array[] = [];
  let total = 0;
  let offset = 0;
  while (offset < input.length) {
    const member = readMember(input, offset, limit - total);
    if (!member.ok) return member;
    members.push(member.bytes);
    total += member.bytes.length;
    offset = member.end;
  }
  return { ok: true, bytes: members.length === 1 ? (members[0] ?? input) : join(members, total) };
}

function join(parts: readonly Uint8Array[], total: number): Uint8Array {
  const joined = new Uint8Array(total);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

type Member =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly end: number }
  | { readonly ok: false; readonly fault: GzipFault };

function readMember(input: Uint8Array, start: number, limit: number): Member {
  const body = skipHeader(input, start);
  if (typeof body === 'string') return { ok: false, fault: body };
  const inflated = inflate(input, body, limit);
  if (!inflated.ok) return { ok: false, fault: inflateFaults[inflated.fault] };
  const { bytes, end } = inflated;
  if (end + trailerSize > input.length) return { ok: false, fault: 'gzip-truncated' };
  const trailer = new DataView(input.buffer, input.byteOffset + end, trailerSize);
  const intact =
    trailer.getUint32(0, true) === crc32(bytes) && trailer.getUint32(4, true) === bytes.length;
  if (!intact) return { ok: false, fault: 'gzip-checksum' };
  return { ok: true, bytes, end: end + trailerSize };
}

/** Offset of the compressed body of the member at `start`. */
function skipHeader(input: Uint8Array, start: number): number | 'gzip-truncated' | 'gzip-header' {
  const header = input.subarray(start, start + headerSize);
  const isGzip = magic.every((byte, index) => (header[index] ?? byte) === byte);
  // Too few bytes after a member are a cut-off member; too few at the start are not gzip at all.
  if (!isGzip && (start === 0 || header.length === headerSize)) return 'gzip-header';
  if (header.length < headerSize) return 'gzip-truncated';
  const flags = header[3] ?? 0;
  let offset: number | undefined = start + headerSize;
  if ((flags & 4) !== 0) {
    offset += 2 + ((input[offset] ?? 0) | ((input[offset + 1] ?? 0) << 8));
  }
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const terminator = input.indexOf(0, offset);
    if (terminator < 0) return 'gzip-truncated';
    offset = terminator + 1;
  }
  if ((flags & 2) === 0) return offset;
  return isHeaderIntact(input, start, offset) ? offset + 2 : 'gzip-header';
}

function isHeaderIntact(input: Uint8Array, start: number, end: number): boolean {
  const expected = (input[end] ?? 0) | ((input[end + 1] ?? 0) << 8);
  return (crc32(input.subarray(start, end)) & 0xffff) === expected;
}
