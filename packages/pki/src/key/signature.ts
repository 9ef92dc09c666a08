import type { KeyObject } from 'node:crypto';
import { type Der, derNull, derSequence, oid } from '../der.ts';

/** How a key signs: the AlgorithmIdentifier, and the digest in the words of node:crypto. */
export type Signature = { readonly algorithm: Der; readonly hash: string };

/** SHA-256 for RSA and P-256; SHA-384 for P-384, as Go's x509 package chooses. */
export function signatureOf(key: KeyObject): Signature {
  if (key.asymmetricKeyType === 'rsa') {
    return { algorithm: derSequence(oid.rsaWithSha256, derNull), hash: 'sha256' };
  }
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1'
    ? { algorithm: derSequence(oid.ecdsaWithSha384), hash: 'sha384' }
    : { algorithm: derSequence(oid.ecdsaWithSha256), hash: 'sha256' };
}
