const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const invalid = 255;
const values = new Uint8Array(128).fill(invalid);
for (const [index, letter] of [...alphabet].entries()) values[letter.charCodeAt(0)] = index;

/**
 * Decodes standard base64 as strictly as RFC 4648 section 4 reads: padding is required, the URL-safe
 * alphabet and anything after the padding are refused; non-zero trailing bits are tolerated.
 * `Buffer.from` and `atob` accept more, and what they accept would fail on the host.
 *
 * @returns `undefined` when `text` is not base64.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const letters = text.length - padding;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let written = 0;
  for (let index = 0; index < letters; index += 1) {
    const value = values[text.charCodeAt(index)] ?? invalid;
    if (value === invalid) return undefined;
    bits = (bits << 6) | value;
    if (index % 4 === 3) {
      bytes[written] = bits >> 16;
      bytes[written + 1] = bits >> 8;
      bytes[written + 2] = bits;
      written += 3;
      bits = 0;
    }
  }
  if (padding === 1) {
    bytes[written] = bits >> 10;
    bytes[written + 1] = bits >> 2;
  } else if (padding === 2) bytes[written] = bits >> 4;
  return bytes;
}

/** Encodes bytes as padded standard base64. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let index = 0; index < bytes.length; index += 3) {
    const available = bytes.length - index;
    const bits =
      ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    const letters = `${alphabet[bits >> 18]}${alphabet[(bits >> 12) & 63]}${alphabet[(bits >> 6) & 63]}${alphabet[bits & 63]}`;
    parts.push(available >= 3 ? letters : letters.slice(0, available + 1).padEnd(4, '='));
  }
  return parts.join('');
}
