import type { KeyObject, X509Certificate } from 'node:crypto';
import { UserError } from '@slipway/base';
import type { PkiErrorCode } from '../errors.ts';
import { buildCertificate } from './build-certificate.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import {
  alternativeNameExtensions,
  authorityKeyIdentifier,
  basicConstraints,
  subjectKeyIdentifier,
  usageExtensions,
} from './extensions.ts';
import { computedIdentifier, readIssuer } from './issuer.ts';
import { parseCertificate } from './parse-certificate.ts';
import { type AlternativeNames, derName, type Subject } from './subject.ts';
import type { CertificateUsage } from './usage.ts';
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
  publicKey: KeyObject,
  { subject, names, usages, validity }: LeafContent,
): Promise<string> {
  const { validToDate } = refuseExpired(authority, validity.now);
  const issuer = readIssuer(authority.certificatePem);
  const name = derName(subject);
  // Without it a leaf that is called as its authority is taken for self-signed.
  const ownIdentifier = issuer.name.equals(name)
    ? [subjectKeyIdentifier(computedIdentifier(publicKey))]
    : [];
  const parts = {
    issuer: issuer.name,
    subject: name,
    ...validityDates(validity, validToDate.getTime()),
    publicKey,
    extensions: [
      ...usageExtensions(usages),
      basicConstraints(false),
      ...ownIdentifier,
      authorityKeyIdentifier(issuer.keyIdentifier),
      ...alternativeNameExtensions(names),
    ],
  };
  return await buildCertificate(parts, authority.key);
}

/** The authority's certificate. */
function refuseExpired(authority: CertificateAuthority, now: number): X509Certificate {
  const certificate = parseCertificate(authority.certificatePem);
  const { validFromDate, validToDate, subject } = certificate;
  if (now >= validFromDate.getTime() && now < validToDate.getTime()) return certificate;
  const code: PkiErrorCode = 'pki.authority.expired';
  const span = `${validFromDate.toISOString()} to ${validToDate.toISOString()}`;
  throw new UserError(`sign certificate: authority ${subject} is valid from ${span} only`, {
    code,
  });
}
