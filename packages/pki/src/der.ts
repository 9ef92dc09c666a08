/** Distinguished Encoding Rules, as much as a signing request needs (X.690). */
export type Der = Buffer;

const tags = {
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
} as const;

function encode(tag: number, content: Uint8Array): Der {
  const length = content.length;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content]);
}

export function derSequence(...members: readonly Uint8Array[]): Der {
  return encode(tags.sequence, Buffer.concat(members));
}

export function derSet(...members: readonly Uint8Array[]): Der {
  return encode(tags.set, Buffer.concat(members));
}

export function derUtf8(text: string): Der {
  return encode(tags.utf8String, Buffer.from(text));
}

export function derOctets(content: Uint8Array): Der {
  return encode(tags.octetString, content);
}

/** A bit string of whole bytes. */
export function derBits(content: Uint8Array): Der {
  return encode(tags.bitString, Buffer.concat([Buffer.from([0]), content]));
}

/** `[number]`, constructed or primitive. */
export function derContext(number: number, content: Uint8Array, constructed: boolean): Der {
  return encode(0x80 | (constructed ? 0x20 : 0) | number, content);
}

/** The number zero: all that a request's version is. */
export const derZero: Der = Buffer.from([0x02, 0x01, 0x00]);

export const derNull: Der = Buffer.from([0x05, 0x00]);

/** Object identifiers, encoded. */
export const oid = {
  commonName: Buffer.from('0603550403', 'hex'),
  organization: Buffer.from('060355040a', 'hex'),
  subjectAlternativeName: Buffer.from('0603551d11', 'hex'),
  extensionRequest: Buffer.from('06092a864886f70d01090e', 'hex'),
  rsaWithSha256: Buffer.from('06092a864886f70d01010b', 'hex'),
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  ecdsaWithSha384: Buffer.from('06082a8648ce3d040303', 'hex'),
} as const satisfies Record<string, Der>;
