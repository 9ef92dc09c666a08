import type { Pkcs10CertificateRequest } from '@peculiar/x509';
import { UserError } from '@slipway/base';
import type { AlternativeNames, Subject } from '../certificate/subject.ts';
import type { PkiErrorCode } from '../errors.ts';
import { encodePem, requirePemBlock } from '../pem.ts';
import { loadX509, type X509Library } from '../x509-library.ts';

/** A certificate signing request whose signature was verified. */
export type SigningRequest = {
  readonly subject: Required<Subject>;
  readonly names: Required<AlternativeNames>;
  /** Names that are neither DNS nor IP, as `type:value`; signers refuse them. */
  readonly otherNames: readonly string[];
  /** PEM SubjectPublicKeyInfo. */
  readonly publicKeyPem: string;
};

function refusal(code: PkiErrorCode, message: string, cause?: unknown): UserError {
  return new UserError(`read certificate signing request: ${message}`, { code, cause });
}

function decode(library: X509Library, pem: string): Pkcs10CertificateRequest {
  const { der } = requirePemBlock(pem, 'CERTIFICATE REQUEST');
  try {
    return new library.Pkcs10CertificateRequest(der);
  } catch (cause) {
    throw refusal('pki.request.unreadable', 'not a PKCS#10 request', cause);
  }
}

function readSubject(request: Pkcs10CertificateRequest): Required<Subject> {
  const commonNames = request.subjectName.getField('CN');
  const [commonName] = commonNames;
  // Readers disagree on which of several common names counts, so more than one is refused.
  if (commonName === undefined || commonNames.length > 1) {
    throw refusal('pki.request.subject', `${commonNames.length} common names, expected one`);
  }
  return { commonName, organizations: request.subjectName.getField('O') };
}

/** Decodes a PEM request and verifies that its own key signed it; throws a UserError otherwise. */
export async function readCertificateSigningRequest(pem: string): Promise<SigningRequest> {
  const library = await loadX509();
  const request = decode(library, pem);
  const verified = await request.verify().catch((cause: unknown) => {
    throw refusal('pki.request.unreadable', 'its key or signature cannot be used', cause);
  });
  if (!verified) throw refusal('pki.request.signature', 'not signed by its own key');
  const extension = request.extensions.find((each) => each.type === '2.5.29.17');
  const items =
    extension === undefined
      ? []
      : new library.SubjectAlternativeNameExtension(extension.rawData).names.items;
  return {
    subject: readSubject(request),
    names: {
      dnsNames: items.filter((item) => item.type === 'dns').map((item) => item.value),
      ipAddresses: items.filter((item) => item.type === 'ip').map((item) => item.value),
    },
    otherNames: items
      .filter((item) => item.type !== 'dns' && item.type !== 'ip')
      .map((item) => `${item.type}:${item.value}`),
    publicKeyPem: encodePem('PUBLIC KEY', new Uint8Array(request.publicKey.rawData)),
  };
}
