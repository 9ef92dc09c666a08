import { createPublicKey } from 'node:crypto';
import type { CertificateAuthority } from '../certificate/certificate-authority.ts';
import { signLeaf } from '../certificate/sign.ts';
import { parseUsages } from '../certificate/usage.ts';
import type { Validity } from '../certificate/validity.ts';
import { readCertificateSigningRequest } from './read-request.ts';

export type SigningTerms = Validity & {
  /** In the words of certificates.k8s.io: `client auth`, `digital signature`, … */
  readonly usages: readonly string[];
};

/**
 * Signs a PEM request as it stands: its subject, DNS and IP names; all else is dropped. Whether the
 * requester may have that subject is the caller's question. Throws a UserError for a bad request.
 */
export async function signCertificateSigningRequest(
  authority: CertificateAuthority,
  pem: string,
  terms: SigningTerms,
): Promise<string> {
  const request = await readCertificateSigningRequest(pem);
  const publicKey = createPublicKey(request.publicKeyPem);
  const { subject, names } = request;
  const usages = parseUsages(terms.usages);
  return await signLeaf(authority, publicKey, { subject, names, usages, validity: terms });
}
