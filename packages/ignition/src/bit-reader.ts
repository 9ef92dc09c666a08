import { type HuffmanCode, maxCodeLength } from './huffman-code.ts';
import { InflateStop } from './inflate-fault.ts';

/** Reads bits from the least significant end of each byte. */
export class BitReader {
  readonly #input: Uint8Array;
  #next: number;
  #bits = 0;
  #count = 0;

  constructor(input: Uint8Array, start: number) {
    this.#input = input;
    this.#next = start;
  }

  read(count: number): number {
    while (this.#count < count) this.#fill();
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }

  symbol(code: HuffmanCode): number {
    let value = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= maxCodeLength; length += 1) {
      value |= this.read(1);
      const count = code.counts[length] ?? 0;
      if (value - count < first) return code.symbols[index + value - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new InflateStop('corrupt');
  }

  /** Whole bytes from the next byte boundary on. */
  bytes(count: number): Uint8Array {
    const start = this.end();
    this.#bits = 0;
    this.#count = 0;
    if (start + count > this.#input.length) throw new InflateStop('truncated');
    this.#next = start + count;
    return this.#input.subarray(start, this.#next);
  }

  /** Offset of the first byte that was not used at all. */
  end(): number {
    return this.#next - (this.#count >> 3);
  }

  #fill(): void {
    const byte = this.#input[this.#next];
    if (byte === undefined) throw new InflateStop('truncated');
    this.#bits |= byte << this.#count;
    this.#next += 1;
    this.#count += 8;
  }
}
