import { InflateStop } from './inflate-fault.ts';

/** Bytes that grow as they are written, up to a bound. */
export class BoundedOutput {
  #bytes: Uint8Array;
  #length = 0;
  readonly #limit: number;

  constructor(limit: number, expected: number) {
    this.#limit = limit;
    this.#bytes = new Uint8Array(Math.min(limit, Math.max(256, expected)));
  }

  push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow(this.#length + 1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  append(bytes: Uint8Array): void {
    this.#grow(this.#length + bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  repeat(distance: number, length: number): void {
    if (distance > this.#length) throw new InflateStop('corrupt');
    this.#grow(this.#length + length);
    const bytes = this.#bytes;
    for (let count = 0; count < length; count += 1) {
      bytes[this.#length] = bytes[this.#length - distance] ?? 0;
      this.#length += 1;
    }
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(needed: number): void {
    if (needed > this.#limit) throw new InflateStop('too-large');
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.min(this.#limit, Math.max(needed, this.#bytes.length * 2)));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
