import { type KeyObject, X509Certificate } from 'node:crypto';
import type { Secret } from '@slipway/base';
import { UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';
import { signingAlgorithm, toCryptoKeyPair } from '../key/crypto-key.ts';
import { generatePrivateKey, type KeyType, parsePrivateKey } from '../key/private-key.ts';
import { loadX509 } from '../x509-library.ts';
import { nameAttributes } from './subject.ts';
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
  const library = await loadX509();
  const key = request.key ?? (await generatePrivateKey(request.keyType));
  const keys = toCryptoKeyPair(key);
  const { KeyUsageFlags: flags } = library;
  const usages = flags.digitalSignature | flags.keyEncipherment | flags.keyCertSign;
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    name: nameAttributes({ commonName: request.commonName }),
    ...validityDates(request.validity),
    signingAlgorithm: signingAlgorithm(key),
    keys,
    extensions: [
      new library.KeyUsagesExtension(usages, true),
      new library.BasicConstraintsExtension(true, undefined, true),
      await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
      new library.SubjectAlternativeNameExtension([{ type: 'dns', value: request.commonName }]),
    ],
  });
  return { certificatePem: `${certificate.toString('pem')}\n`, key };
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

/** The first certificate of a PEM text; throws a UserError when there is none. */
export function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    const code: PkiErrorCode = 'pki.certificate.unreadable';
    throw new UserError('read certificate: not a PEM certificate', { code, cause });
  }
}
