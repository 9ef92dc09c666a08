import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

/** What a certificate says, without what differs from run to run. */
export type CertificateFacts = {
  readonly subject: string;
  readonly issuer: string;
  readonly alternativeNames: readonly string[];
  readonly keyUsages: readonly string[];
  readonly extendedKeyUsages: readonly string[];
  readonly authority: boolean;
  readonly key: string;
  readonly signature: string;
  /** Rounded to five minutes: keys of a slow machine take long, and kubeadm counts from its start. */
  readonly lifetime: string;
};

const usageNames = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
] as const;

const extendedNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
};

/** Reads a certificate with the runtime's own parser, not with the code under test. */
export function certificateFacts(pem: string | Buffer): CertificateFacts {
  const certificate = new X509Certificate(pem);
  const lasts = certificate.validToDate.getTime() - certificate.validFromDate.getTime();
  return {
    subject: certificate.subject.split('\n').join(','),
    issuer: certificate.issuer.split('\n').join(','),
    alternativeNames: (certificate.subjectAltName ?? '').split(', ').filter(Boolean).sort(),
    keyUsages: keyUsagesOf(certificate.raw),
    extendedKeyUsages: (certificate.keyUsage ?? []).map((oid) => extendedNames[oid] ?? oid),
    authority: certificate.ca,
    key: keyFacts(certificate.publicKey),
    signature: certificate.signatureAlgorithm ?? 'unknown',
    lifetime: `${5 * Math.round(lasts / 300_000)} minutes`,
  };
}

/** The bits of the extension 2.5.29.15, whose DER has one form only. */
function keyUsagesOf(raw: Buffer): readonly string[] {
  const found = /0603551d0f(0101ff)?04..03..(..)(..)/.exec(raw.toString('hex'));
  const bits = Number.parseInt(found?.[3] ?? '0', 16);
  const critical = found?.[1] === undefined ? [] : ['critical'];
  return [...critical, ...usageNames.filter((_, index) => (bits & (0x80 >> index)) !== 0)];
}

/** `rsa 2048`, `ec prime256v1`. */
function keyFacts(key: KeyObject): string {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  return `${key.asymmetricKeyType} ${modulusLength ?? namedCurve}`;
}

/** Kind, length and PEM form of a private key. */
export function privateKeyFacts(pem: string): string {
  return `${keyFacts(createPrivateKey(pem))} ${labelOf(pem)}`;
}

export function publicKeyFacts(pem: string): string {
  return `${keyFacts(createPublicKey(pem))} ${labelOf(pem)}`;
}

function labelOf(pem: string): string {
  return /-----BEGIN ([A-Z ]+)-----/.exec(pem)?.[1] ?? 'no PEM';
}

/** Whether the private key is the certificate's, and whether one of the authorities signed it. */
export function belongsTogether(
  certificatePem: string,
  keyPem: string,
  authorities: readonly string[],
): { readonly ownKey: boolean; readonly signed: boolean } {
  const certificate = new X509Certificate(certificatePem);
  return {
    ownKey: certificate.checkPrivateKey(createPrivateKey(keyPem)),
    signed: authorities.some((pem) => {
      const authority = new X509Certificate(pem);
      return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
    }),
  };
}
