import type { KeyObject } from 'node:crypto';
import type { Secret } from '@slipway/base';
import { UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';
import { generatePrivateKey, type KeyType, parsePrivateKey } from '../key/private-key.ts';
import { buildCertificate } from './build-certificate.ts';
import {
  alternativeNameExtensions,
  basicConstraints,
  subjectKeyIdentifier,
  usageExtensions,
} from './extensions.ts';
import { computedIdentifier } from './issuer.ts';
import { parseCertificate } from './parse-certificate.ts';
import { derName } from './subject.ts';
import { type Validity, validityDates } from './validity.ts';

/** A certificate with its private key. */
export type CertificateAndKey = { readonly certificatePem: string; readonly key: KeyObject };

/** A certificate that may sign others, with its key. */
export type CertificateAuthority = CertificateAndKey;

export type CertificateAuthorityRequest = {
  readonly commonName: string;
  readonly validity: Validity;
  /** Default `ecdsa-p256`. */
  readonly keyType?: KeyType;
  /** Default: a fresh one. */
  readonly key?: KeyObject;
};

/** A self-signed authority: key usage digitalSignature, keyEncipherment and keyCertSign, SAN = CN, as kubeadm's. */
export async function createCertificateAuthority(
  request: CertificateAuthorityRequest,
): Promise<CertificateAuthority> {
  const key = request.key ?? (await generatePrivateKey(request.keyType));
  const { commonName } = request;
  const name = derName({ commonName });
  const parts = {
    issuer: name,
    subject: name,
    ...validityDates(request.validity),
    publicKey: key,
    extensions: [
      ...usageExtensions(['digital signature', 'key encipherment', 'cert sign']),
      basicConstraints(true),
      subjectKeyIdentifier(computedIdentifier(key)),
      ...alternativeNameExtensions({ dnsNames: [commonName] }),
    ],
  };
  return { certificatePem: await buildCertificate(parts, key), key };
}

/** Reads a certificate and its key; throws a UserError when they do not belong together. */
export function loadCertificateAndKey(
  certificatePem: string,
  keyPem: string | Secret,
): CertificateAndKey {
  const key = parsePrivateKey(keyPem);
  const certificate = parseCertificate(certificatePem);
  if (!certificate.checkPrivateKey(key)) {
    const code: PkiErrorCode = 'pki.key.mismatch';
    throw new UserError('load certificate: the private key belongs to another certificate', {
      code,
    });
  }
  return { certificatePem, key };
}
