import { join } from 'node:path';
import {
  type CertificateAndKey,
  type CertificateAuthority,
  type CertificateRequest,
  dayMs,
  encodePrivateKey,
  inspectCertificate,
  isIssuedBy,
  issueCertificate,
  loadCertificateAndKey,
} from '@slipway/pki';
import { readOptional, writePrivateFile } from './private-file.ts';

const leafDays = 365;

async function load(directory: string, name: string): Promise<CertificateAndKey | undefined> {
  const certificate = await readOptional(join(directory, `${name}.crt`));
  const key = await readOptional(join(directory, `${name}.key`));
  if (certificate === undefined || key === undefined) return undefined;
  return loadCertificateAndKey(certificate, key);
}

async function save(directory: string, name: string, pair: CertificateAndKey): Promise<void> {
  // The key first: a certificate without a key is never seen.
  await writePrivateFile(join(directory, `${name}.key`), encodePrivateKey(pair.key).reveal());
  await writePrivateFile(join(directory, `${name}.crt`), pair.certificatePem);
}

export type LeafRequest = Omit<CertificateRequest, 'validity' | 'keyType'>;

/** True when a stored certificate is the authority's, for the same names, and good for 30 more days. */
function isReusable(
  pair: CertificateAndKey,
  authority: CertificateAuthority,
  request: LeafRequest,
  now: number,
): boolean {
  const summary = inspectCertificate(pair.certificatePem);
  const sameNames = (asked: readonly string[] | undefined, has: readonly string[]) =>
    (asked ?? []).every((name) => has.includes(name));
  return (
    isIssuedBy(pair.certificatePem, authority.certificatePem) &&
    summary.commonName === request.subject.commonName &&
    now > summary.notBefore &&
    summary.notAfter - now > 30 * dayMs &&
    sameNames(request.dnsNames, summary.dnsNames) &&
    sameNames(request.ipAddresses, summary.ipAddresses)
  );
}

/** The certificate `name` in `directory`; made, or made anew, where the stored one will not do. */
export async function openCertificate(
  directory: string,
  name: string,
  request: { readonly authority: CertificateAuthority; readonly leaf: LeafRequest; now: number },
): Promise<CertificateAndKey> {
  const { authority, leaf, now } = request;
  const stored = await load(directory, name);
  if (stored !== undefined && isReusable(stored, authority, leaf, now)) return stored;
  const validity = { now, validityMs: leafDays * dayMs };
  const made = await issueCertificate(authority, { ...leaf, validity });
  await save(directory, name, made);
  return made;
}
