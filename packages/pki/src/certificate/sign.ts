import type { webcrypto } from 'node:crypto';
import { UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';
import { signingAlgorithm, toCryptoKeyPair } from '../key/crypto-key.ts';
import { loadX509 } from '../x509-library.ts';
import { type CertificateAuthority, parseCertificate } from './certificate-authority.ts';
import { type AlternativeNames, generalNames, nameAttributes, type Subject } from './subject.ts';
import { type CertificateUsage, usageExtensions } from './usage.ts';
import { type Validity, validityDates } from './validity.ts';

/** What goes into a certificate that is not an authority. */
export type LeafContent = {
  readonly subject: Subject;
  readonly names: AlternativeNames;
  readonly usages: readonly CertificateUsage[];
  readonly validity: Validity;
};

/**
 * Signs a leaf certificate for `publicKey`. Its end is cut to the authority's; an authority that is not
 * valid at `validity.now` is refused with a UserError.
 */
export async function signLeaf(
  authority: CertificateAuthority,
  publicKey: webcrypto.CryptoKey,
  content: LeafContent,
): Promise<string> {
  const library = await loadX509();
  const issuer = new library.X509Certificate(authority.certificatePem);
  refuseExpired(authority, content.validity.now);
  const names = generalNames(content.names);
  const certificate = await library.X509CertificateGenerator.create({
    subject: nameAttributes(content.subject),
    issuer: issuer.subjectName,
    ...validityDates(content.validity, issuer.notAfter.getTime()),
    signingAlgorithm: signingAlgorithm(authority.key),
    signingKey: toCryptoKeyPair(authority.key).privateKey,
    publicKey,
    extensions: [
      ...usageExtensions(library, content.usages),
      new library.BasicConstraintsExtension(false, undefined, true),
      await library.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length === 0 ? [] : [new library.SubjectAlternativeNameExtension(names)]),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

function refuseExpired(authority: CertificateAuthority, now: number): void {
  const { validFromDate, validToDate, subject } = parseCertificate(authority.certificatePem);
  if (now >= validFromDate.getTime() && now < validToDate.getTime()) return;
  const code: PkiErrorCode = 'pki.authority.expired';
  const span = `${validFromDate.toISOString()} to ${validToDate.toISOString()}`;
  throw new UserError(`sign certificate: authority ${subject} is valid from ${span} only`, {
    code,
  });
}
