import { createHash, type KeyObject } from 'node:crypto';
import { type Der, oid } from '../der.ts';
import { readDerElements } from '../der-reader.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { parseCertificate } from './parse-certificate.ts';

/** What a certificate takes over from the authority that signs it. */
export type Issuer = {
  /** Its name, byte for byte: verifiers compare nothing else. */
  readonly name: Der;
  /** Its key identifier. */
  readonly keyIdentifier: Uint8Array;
};

/** Place of the subject among the members of a certificate's content, the version being there. */
const subjectPlace = 5;

/**
 * Name and key identifier of an authority. The identifier is the one that it carries: makers compute it in
 * different ways (Go by SHA-256 from 1.25 on, slipway by SHA-1), and verifiers refuse another.
 */
export function readIssuer(authorityPem: string): Issuer {
  const certificate = parseCertificate(authorityPem);
  const [outer] = readDerElements(certificate.raw);
  const [content] = readDerElements(outer?.content ?? Buffer.alloc(0));
  const members = readDerElements(content?.content ?? Buffer.alloc(0));
  const name = members[subjectPlace]?.whole ?? Buffer.alloc(0);
  const carried = carriedIdentifier(members.at(-1)?.content);
  return { name, keyIdentifier: carried ?? computedIdentifier(certificate.publicKey) };
}

/** SHA-1 of the public key's bits (RFC 5280, 4.2.1.2, first method). */
export function computedIdentifier(publicKey: KeyObject): Uint8Array {
  const [info] = readDerElements(publicKeyDer(publicKey));
  const [, bits] = readDerElements(info?.content ?? Buffer.alloc(0));
  // The first byte tells how many bits of the last one do not count: none.
  return createHash('sha1')
    .update(bits?.content.subarray(1) ?? '')
    .digest();
}

function carriedIdentifier(extensions: Buffer | undefined): Uint8Array | undefined {
  const [list] = readDerElements(extensions ?? Buffer.alloc(0));
  const found = readDerElements(list?.content ?? Buffer.alloc(0))
    .map(({ content }) => readDerElements(content))
    .find(([name]) => name?.whole.equals(oid.subjectKeyIdentifier) === true);
  const value = found?.at(-1)?.content;
  return value === undefined ? undefined : readDerElements(value)[0]?.content;
}
