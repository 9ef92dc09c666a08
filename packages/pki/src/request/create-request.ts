import { type KeyObject, sign } from 'node:crypto';
import { derGeneralNames } from '../certificate/general-names.ts';
import { type AlternativeNames, derName, type Subject } from '../certificate/subject.ts';
import { derBits, derContext, derOctets, derSequence, derSet, derZero, oid } from '../der.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { signatureOf } from '../key/signature.ts';
import { encodePem } from '../pem.ts';

/**
 * PEM of a PKCS#10 request (RFC 2986) for `subject`, signed by `key`. Written here and not by the X.509
 * library: every joining host makes one, and the library costs ten times the memory of the rest.
 */
export async function createCertificateSigningRequest(
  key: KeyObject,
  subject: Subject,
  names: AlternativeNames = {},
): Promise<string> {
  const content = derSequence(
    derZero,
    derName(subject),
    publicKeyDer(key),
    derContext(0, requestedExtensions(names), true),
  );
  const { algorithm, hash } = signatureOf(key);
  const request = derSequence(content, algorithm, derBits(sign(hash, content, key)));
  return encodePem('CERTIFICATE REQUEST', request);
}

function requestedExtensions(given: AlternativeNames): Uint8Array {
  const names = derGeneralNames(given);
  if (names === undefined) return new Uint8Array();
  const extension = derSequence(oid.subjectAlternativeName, derOctets(names));
  return derSequence(oid.extensionRequest, derSet(derSequence(extension)));
}
