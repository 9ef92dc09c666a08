import { createHash, type X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { encodePem, parsePem } from '../pem.ts';
import { parseCertificate } from './parse-certificate.ts';

/** What a certificate says. Times are in ms since the epoch. */
export type CertificateSummary = {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly issuerCommonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
  readonly serialNumber: string;
  readonly isAuthority: boolean;
  /** `client auth`, `server auth`; others by object identifier. */
  readonly extendedUsages: readonly string[];
  /** `sha256:` and 64 hex digits over the SubjectPublicKeyInfo. */
  readonly publicKeyPin: string;
};

const usageNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'server auth',
  '1.3.6.1.5.5.7.3.2': 'client auth',
};

/** Reads the first certificate of a PEM text; throws a UserError when there is none. */
export function inspectCertificate(pem: string): CertificateSummary {
  const certificate = parseCertificate(pem);
  const subject = certificate.toLegacyObject().subject;
  const issuer = certificate.toLegacyObject().issuer;
  return {
    commonName: values(subject.CN)[0] ?? '',
    organizations: values(subject.O),
    issuerCommonName: values(issuer.CN)[0] ?? '',
    dnsNames: alternativeNames(certificate, 'DNS'),
    ipAddresses: alternativeNames(certificate, 'IP Address').map(canonicalAddress),
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime(),
    serialNumber: certificate.serialNumber,
    isAuthority: certificate.ca,
    extendedUsages: (certificate.keyUsage ?? []).map((usage) => usageNames[usage] ?? usage),
    publicKeyPin: publicKeyPin(pem),
  };
}

/** Pin of a certificate's key, as kubeadm's `--discovery-token-ca-cert-hash` takes it. */
export function publicKeyPin(certificatePem: string): string {
  const { publicKey } = parseCertificate(certificatePem);
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return `sha256:${createHash('sha256').update(der).digest('hex')}`;
}

/** True when `certificatePem` names `authorityPem` as its issuer and carries its signature. */
export function isIssuedBy(certificatePem: string, authorityPem: string): boolean {
  const certificate = parseCertificate(certificatePem);
  const authority = parseCertificate(authorityPem);
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/**
 * True when the first certificate of `chainPem` leads to `authorityPem`, directly or through the others
 * of the chain. Validity periods are not looked at.
 */
export function chainsTo(chainPem: string, authorityPem: string): boolean {
  const [leaf, ...intermediates] = parsePem(chainPem)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ label, der }) => encodePem(label, der));
  if (leaf === undefined) return false;
  if (isIssuedBy(leaf, authorityPem)) return true;
  return intermediates.some(
    (issuer, index) =>
      isIssuedBy(leaf, issuer) &&
      chainsTo([issuer, ...intermediates.toSpliced(index, 1)].join(''), authorityPem),
  );
}

function values(attribute: string | string[] | undefined): readonly string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}

// OpenSSL's list: `DNS:a, IP Address:10.0.0.1`; values with special characters are JSON strings.
function alternativeNames(certificate: X509Certificate, kind: string): readonly string[] {
  const entries = (certificate.subjectAltName ?? '').matchAll(
    /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g,
  );
  return [...entries]
    .filter(([, entryKind]) => entryKind === kind)
    .map(([, , value = '']) => (value.startsWith('"') ? String(JSON.parse(value)) : value));
}

/** The one spelling of an IP literal (RFC 5952); other text comes back as it is. */
// OpenSSL spells IPv6 in full and in capitals; the WHATWG parser knows the canonical form.
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
