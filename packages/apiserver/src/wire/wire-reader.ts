/** One field of a message: varints are bigints, doubles numbers, everything with a length a Buffer. */
export type WireField = { readonly number: number; readonly value: bigint | number | Buffer };

/** Iterates the fields of one protobuf message; throws RangeError when it is torn. */
export class WireReader implements Iterable<WireField> {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  *[Symbol.iterator](): Generator<WireField> {
    while (this.#at < this.#bytes.length) {
      const tag = Number(this.#varint());
      yield { number: tag >>> 3, value: this.#value(tag & 7) };
    }
  }

  #value(wireType: number): bigint | number | Buffer {
    switch (wireType) {
      case 0:
        return this.#varint();
      case 1:
        return this.#take(8).readDoubleLE();
      case 2:
        return this.#take(Number(this.#varint()));
      case 5:
        return this.#take(4).readFloatLE();
      default:
        throw new RangeError(`wire type ${wireType} is not supported`);
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('message is shorter than its fields');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  #varint(): bigint {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new RangeError('message ends inside a number');
      this.#at += 1;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
    throw new RangeError('number is longer than 64 bits');
  }
}
