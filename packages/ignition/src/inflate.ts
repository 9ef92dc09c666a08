import { BitReader } from './bit-reader.ts';
import { BoundedOutput } from './bounded-output.ts';
import { type HuffmanCode, huffmanCode } from './huffman-code.ts';
import { type InflateFault, InflateStop } from './inflate-fault.ts';

export type InflateResult =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly end: number }
  | { readonly ok: false; readonly fault: InflateFault };

const endOfBlock = 256;
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Extra bits of the length symbols 257 to 285 and of the distance symbols 0 to 29 (RFC 1951, 3.2.5). */
const lengthExtraBits = Array.from({ length: 29 }, (_, index) =>
  index < 8 || index === 28 ? 0 : (index >> 2) - 1,
);
const distanceExtraBits = Array.from({ length: 30 }, (_, index) =>
  index < 4 ? 0 : (index >> 1) - 1,
);
const lengthBases = lengthExtraBits.map((_, index) =>
  index === 28 ? 258 : 3 + sumOfRanges(lengthExtraBits, index),
);
const distanceBases = distanceExtraBits.map(
  (_, index) => 1 + sumOfRanges(distanceExtraBits, index),
);

function sumOfRanges(extraBits: readonly number[], end: number): number {
  return extraBits.slice(0, end).reduce((sum, bits) => sum + 2 ** bits, 0);
}

const fixedLiterals = huffmanCode(
  Array.from({ length: 288 }, (_, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  ),
);
const fixedDistances = huffmanCode(Array.from({ length: 30 }, () => 5));

function readDynamicCodes(reader: BitReader): { literals: HuffmanCode; distances: HuffmanCode } {
  const literalCount = reader.read(5) + 257;
  const distanceCount = reader.read(5) + 1;
  const lengthCount = reader.read(4) + 4;
  if (literalCount > 286 || distanceCount > 30) throw new InflateStop('corrupt');
  const codeLengths = new Array<number>(19).fill(0);
  for (const position of lengthOrder.slice(0, lengthCount)) codeLengths[position] = reader.read(3);
  const lengths = readCodeLengths(reader, huffmanCode(codeLengths), literalCount + distanceCount);
  if (lengths[endOfBlock] === 0) throw new InflateStop('corrupt');
  return {
    literals: huffmanCode(lengths.slice(0, literalCount)),
    distances: huffmanCode(lengths.slice(literalCount)),
  };
}

/** Symbols of a code length table that stand for several lengths (RFC 1951, 3.2.7). */
const codeLengthRuns: Readonly<
  Record<number, { repeatsPrevious: boolean; least: number; extraBits: number }>
> = {
  16: { repeatsPrevious: true, least: 3, extraBits: 2 },
  17: { repeatsPrevious: false, least: 3, extraBits: 3 },
  18: { repeatsPrevious: false, least: 11, extraBits: 7 },
};

function readCodeLengths(reader: BitReader, code: HuffmanCode, count: number): number[] {
  const lengths: number[] = [];
  while (lengths.length < count) {
    const symbol = reader.symbol(code);
    const run = codeLengthRuns[symbol];
    if (run === undefined) {
      lengths.push(symbol);
      continue;
    }
    const previous = lengths.at(-1);
    if (run.repeatsPrevious && previous === undefined) throw new InflateStop('corrupt');
    const times = run.least + reader.read(run.extraBits);
    for (let time = 0; time < times; time += 1) {
      lengths.push(run.repeatsPrevious ? (previous ?? 0) : 0);
    }
  }
  if (lengths.length > count) throw new InflateStop('corrupt');
  return lengths;
}

function inflateBlock(
  reader: BitReader,
  output: BoundedOutput,
  literals: HuffmanCode,
  distances: HuffmanCode,
): void {
  for (;;) {
    const symbol = reader.symbol(literals);
    if (symbol === endOfBlock) return;
    if (symbol < endOfBlock) {
      output.push(symbol);
      continue;
    }
    const lengthIndex = symbol - 257;
    const lengthBase = lengthBases[lengthIndex];
    if (lengthBase === undefined) throw new InflateStop('corrupt');
    const length = lengthBase + reader.read(lengthExtraBits[lengthIndex] ?? 0);
    const distanceIndex = reader.symbol(distances);
    const distanceBase = distanceBases[distanceIndex];
    if (distanceBase === undefined) throw new InflateStop('corrupt');
    output.repeat(distanceBase + reader.read(distanceExtraBits[distanceIndex] ?? 0), length);
  }
}

function inflateStored(reader: BitReader, output: BoundedOutput): void {
  const [low = 0, high = 0, lowCheck = 0, highCheck = 0] = reader.bytes(4);
  if ((low ^ lowCheck) !== 0xff || (high ^ highCheck) !== 0xff) throw new InflateStop('corrupt');
  output.append(reader.bytes(low | (high << 8)));
}

/**
 * Decodes the DEFLATE stream (RFC 1951) that starts at `start`. Synchronous and bounded: a stream that would
 * give more than `limit` bytes is refused as soon as it does, so a decompression bomb costs no memory.
 */
export function inflate(input: Uint8Array, start: number, limit: number): InflateResult {
  const reader = new BitReader(input, start);
  const output = new BoundedOutput(limit, (input.length - start) * 4);
  try {
    for (let last = false; !last; ) {
      last = reader.read(1) === 1;
      const type = reader.read(2);
      if (type === 0) inflateStored(reader, output);
      else if (type === 1) inflateBlock(reader, output, fixedLiterals, fixedDistances);
      else if (type === 2) {
        const codes = readDynamicCodes(reader);
        inflateBlock(reader, output, codes.literals, codes.distances);
      } else throw new InflateStop('corrupt');
    }
    return { ok: true, bytes: output.finish(), end: reader.end() };
  } catch (error) {
    if (error instanceof InflateStop) return { ok: false, fault: error.fault };
    throw error;
  }
}
