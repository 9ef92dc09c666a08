/** The media type of gnostic's protobuf; the form with `@` is asked for but cannot be parsed by clients. */
export const swaggerProtobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const askedTypes = [
  swaggerProtobufType,
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
];

function text(field: number, value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([(field << 3) | 2, bytes.length]), bytes]);
}

function message(field: number, ...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([(field << 3) | 2, bytes.length]), bytes]);
}

/**
 * An OpenAPI v2 document without kinds (swagger 1, info 2, paths 8). kubectl turns to v2 only for kinds
 * that the v3 documents do not have, and must be able to read it to say that they are unknown.
 */
export function swaggerProtobuf(version: string): Buffer {
  const info = message(2, text(1, 'slipway'), text(2, version));
  return Buffer.concat([text(1, '2.0'), info, message(8)]);
}

/** True when `type` asks for the protobuf form. */
export function asksForSwaggerProtobuf(type: string): boolean {
  return askedTypes.includes(type);
}
