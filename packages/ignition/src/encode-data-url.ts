import { encodeBase64 } from './base64.ts';

/** What a data URL may hold as it is; `%` is left out, since it begins an escape. */
const plainCharacters = new Set(
  "!$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~",
);

/** The shorter of the two data URLs of these bytes: with percent escapes, which people can read, or base64. */
export function encodeDataUrl(bytes: Uint8Array): string {
  const base64Length = ';base64'.length + 4 * Math.ceil(bytes.length / 3);
  const plain = percentEncode(bytes, base64Length);
  return plain === undefined ? `data:;base64,${encodeBase64(bytes)}` : `data:,${plain}`;
}

/** Percent escapes, as long as they need no more than `limit` characters. */
function percentEncode(bytes: Uint8Array, limit: number): string | undefined {
  const parts: string[] = [];
  let length = 0;
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    const part = plainCharacters.has(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    parts.push(part);
    length += part.length;
    if (length > limit) return undefined;
  }
  return parts.join('');
}
