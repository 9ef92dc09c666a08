const lineFeed = 0x0a;

/**
 * Cuts a stream of bytes into lines. Works on bytes, so that a character which arrives in two pieces
 * is decoded whole.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  /** `maxBytes`: longest line; `push` throws RangeError beyond it. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of a line whose end has not arrived. */
  get pendingBytes(): number {
    return this.#size;
  }

  /** The lines that `chunk` completes, without empty ones. */
  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = this.#take();
      if (line.trim() !== '') yield line;
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw new RangeError(`line exceeds ${this.#maxBytes} bytes`);
    this.#parts.push(part);
  }

  #take(): string {
    const whole =
      this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    return whole?.toString('utf8') ?? '';
  }
}
