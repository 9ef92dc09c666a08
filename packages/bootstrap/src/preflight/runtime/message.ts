/**
 * As much of the wire format of Protocol Buffers as a few calls of the container runtime need: fields by
 * their numbers. Source: https://protobuf.dev/programming-guides/encoding/.
 */
export type MessageField = {
  readonly number: number;
  /** A number for varints, bytes for strings and messages. Fields of fixed length are left out. */
  readonly value: number | Uint8Array;
};

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;
const fixed32 = 5;

/** A message with one field after the other; text is written as a string, a boolean as 0 or 1. */
export function encodeMessage(
  fields: readonly { readonly number: number; readonly value: Uint8Array | string | boolean }[],
): Uint8Array {
  return Buffer.concat(
    fields.flatMap(({ number, value }) => {
      if (typeof value === 'boolean') {
        return [encodeVarint(number * 8 + varint), encodeVarint(value ? 1 : 0)];
      }
      const bytes = Buffer.from(value);
      return [
        encodeVarint(number * 8 + lengthDelimited),
        encodeVarint(bytes.length),
        bytes,
      ] as readonly Uint8Array[];
    }),
  );
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from([...bytes, rest]);
}

/** The fields of a message in their order. Throws a RangeError when it is cut off or no message. */
export function decodeMessage(bytes: Uint8Array): readonly MessageField[] {
  const reader = new Reader(bytes);
  const fields: MessageField[] = [];
  while (!reader.isAtEnd()) {
    const tag = reader.varint();
    const number = Math.floor(tag / 8);
    const value = reader.value(tag % 8);
    if (value !== undefined) fields.push({ number, value });
  }
  return fields;
}

class Reader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd() {
    return this.#position >= this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#take(1)[0] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
      // Ten bytes hold 64 bits; more is none.
      if (factor > 2 ** 63) throw new RangeError('a number of the message does not end');
    }
  }

  value(type: number): number | Uint8Array | undefined {
    if (type === varint) return this.varint();
    if (type === lengthDelimited) return this.#take(this.varint());
    if (type === fixed64 || type === fixed32) {
      this.#take(type === fixed64 ? 8 : 4);
      return undefined;
    }
    throw new RangeError(`the message has a field of type ${type}`);
  }

  #take(length: number): Uint8Array {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw new RangeError('the message is cut off');
    const taken = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }
}

/** Last text of a field; empty when the message has none, as in proto3. */
export function textField(fields: readonly MessageField[], number: number): string {
  const value = fields.findLast((field) => field.number === number)?.value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}

/** Last number of a field; 0 when the message has none, as in proto3. */
export function numberField(fields: readonly MessageField[], number: number): number {
  const value = fields.findLast((field) => field.number === number)?.value;
  return typeof value === 'number' ? value : 0;
}

/** Messages of a field, decoded. */
export function messageFields(
  fields: readonly MessageField[],
  number: number,
): readonly (readonly MessageField[])[] {
  return fields.flatMap((field) =>
    field.number === number && field.value instanceof Uint8Array
      ? [decodeMessage(field.value)]
      : [],
  );
}
