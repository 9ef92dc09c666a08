/** Distinguished Encoding Rules, as much as certificates and signing requests need (X.690). */
export type Der = Buffer;

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
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

/** A bit string; the last `unused` bits of its last byte do not count. */
export function derBits(content: Uint8Array, unused = 0): Der {
  return encode(tags.bitString, Buffer.concat([Buffer.from([unused]), content]));
}

/** A whole number of at least zero, from its bytes. */
export function derInteger(bytes: Uint8Array): Der {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const isNegative = (digits[0] ?? 0) >= 0x80;
  return encode(tags.integer, isNegative ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

export const derTrue: Der = Buffer.from([tags.boolean, 0x01, 0xff]);

/** A moment in whole seconds, in the form that RFC 5280 wants: two digits of the year until 2049. */
export function derTime(date: Date): Der {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? encode(tags.utcTime, Buffer.from(digits.slice(2)))
    : encode(tags.generalizedTime, Buffer.from(digits));
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
  subjectKeyIdentifier: Buffer.from('0603551d0e', 'hex'),
  keyUsage: Buffer.from('0603551d0f', 'hex'),
  basicConstraints: Buffer.from('0603551d13', 'hex'),
  authorityKeyIdentifier: Buffer.from('0603551d23', 'hex'),
  extendedKeyUsage: Buffer.from('0603551d25', 'hex'),
  serverAuth: Buffer.from('06082b06010505070301', 'hex'),
  clientAuth: Buffer.from('06082b06010505070302', 'hex'),
  extensionRequest: Buffer.from('06092a864886f70d01090e', 'hex'),
  rsaWithSha256: Buffer.from('06092a864886f70d01010b', 'hex'),
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  ecdsaWithSha384: Buffer.from('06082a8648ce3d040303', 'hex'),
} as const satisfies Record<string, Der>;
