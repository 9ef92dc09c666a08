import { InflateStop } from './inflate-fault.ts';

/** A canonical Huffman code: how many codes there are of each length, and the symbols in code order. */
export type HuffmanCode = { readonly counts: Uint16Array; readonly symbols: Uint16Array };

export const maxCodeLength = 15;

/** The code that RFC 1951, 3.2.2, defines by the length of each symbol's code; zero means unused. */
export function huffmanCode(lengths: readonly number[]): HuffmanCode {
  const counts = new Uint16Array(maxCodeLength + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(maxCodeLength + 2);
  let unused = 1;
  for (let length = 1; length <= maxCodeLength; length += 1) {
    unused = unused * 2 - (counts[length] ?? 0);
    if (unused < 0) throw new InflateStop('corrupt');
    offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0);
  }
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const offset = offsets[length] ?? 0;
    symbols[offset] = symbol;
    offsets[length] = offset + 1;
  }
  return { counts, symbols };
}
