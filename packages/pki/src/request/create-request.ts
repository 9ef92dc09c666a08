import type { KeyObject } from 'node:crypto';
import {
  type AlternativeNames,
  generalNames,
  nameAttributes,
  type Subject,
} from '../certificate/subject.ts';
import { signingAlgorithm, toCryptoKeyPair } from '../key/crypto-key.ts';
import { loadX509 } from '../x509-library.ts';

/** PEM of a PKCS#10 request for `subject`, signed by `key`. */
export async function createCertificateSigningRequest(
  key: KeyObject,
  subject: Subject,
  names: AlternativeNames = {},
): Promise<string> {
  const library = await loadX509();
  const alternatives = generalNames(names);
  const request = await library.Pkcs10CertificateRequestGenerator.create({
    name: nameAttributes(subject),
    keys: toCryptoKeyPair(key),
    signingAlgorithm: signingAlgorithm(key),
    extensions:
      alternatives.length === 0 ? [] : [new library.SubjectAlternativeNameExtension(alternatives)],
  });
  return `${request.toString('pem')}\n`;
}
