import type { KeyObject } from 'node:crypto';
import { generatePrivateKey, type KeyType } from '../key/private-key.ts';
import type { CertificateAndKey, CertificateAuthority } from './certificate-authority.ts';
import { signLeaf } from './sign.ts';
import type { AlternativeNames, Subject } from './subject.ts';
import type { CertificateUsage } from './usage.ts';
import type { Validity } from './validity.ts';

export type CertificateRequest = AlternativeNames & {
  readonly subject: Subject;
  /** What the certificate may be used for. */
  readonly usages: readonly ('client' | 'server')[];
  readonly validity: Validity;
  /** Default `ecdsa-p256`. */
  readonly keyType?: KeyType;
  /** Default: a fresh one. */
  readonly key?: KeyObject;
};

/** Makes a key, unless one is given, and a certificate for it, signed by `authority`. */
export async function issueCertificate(
  authority: CertificateAuthority,
  request: CertificateRequest,
): Promise<CertificateAndKey> {
  const key = request.key ?? (await generatePrivateKey(request.keyType));
  const usages: CertificateUsage[] = [
    'digital signature',
    // For every kind of key, as kubeadm does, although only RSA keys encipher others.
    'key encipherment',
    ...request.usages.map((usage): CertificateUsage => `${usage} auth`),
  ];
  const { subject, validity } = request;
  const content = { subject, names: request, usages, validity };
  const certificatePem = await signLeaf(authority, key, content);
  return { certificatePem, key };
}
