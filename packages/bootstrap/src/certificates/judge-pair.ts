import { X509Certificate } from 'node:crypto';
import { describeError } from '@slipway/base';
import {
  type CertificateAuthority,
  type CertificateSpec,
  type CertificateSummary,
  canonicalAddress,
  chainsTo,
  inspectCertificate,
  loadCertificateAndKey,
  parsePrivateKey,
} from '@slipway/pki';
import type { StoredPair } from './stored-pair.ts';

/** What keeps a file that is there from being used, and what mends it. */
export type Refusal = { readonly reason: string; readonly remedy: string };

/** What is to be done about a certificate. */
export type Verdict =
  /** It is there and right. */
  | { readonly kind: 'reuse' }
  /** An authority that is right and signs elsewhere: its key is not here. */
  | { readonly kind: 'external' }
  /** There is none; with `key` where only the key is there, as after an interruption. */
  | { readonly kind: 'make'; readonly key?: CertificateAuthority['key'] }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

export type Judgement = {
  readonly spec: CertificateSpec;
  readonly stored: StoredPair;
  /** Path without `.crt` and `.key`. */
  readonly path: string;
  /** Ms since the epoch. */
  readonly now: number;
  /** Where in the configuration a name comes from. */
  readonly origin: (name: string) => string;
};

/** Whether an authority can be used; one without a key is external. */
export function judgeAuthority({ spec, stored, path, now }: Judgement): Verdict {
  const { certificatePem, keyPem } = stored;
  if (certificatePem === undefined) return judgeKey(stored, path);
  const summary = readSummary(certificatePem);
  const restore = `restore ${path}.crt and ${path}.key`;
  if (typeof summary === 'string') return refuse(`${path}.crt ${summary}`, restore);
  if (!summary.isAuthority) return refuse(`${path}.crt is not an authority`, restore);
  const period = outsidePeriod(summary, now);
  // An expired authority is not renewed: every certificate below it would have to be.
  if (period !== undefined)
    return refuse(`${path}.crt ${period}`, `replace authority ${spec.name}`);
  if (keyPem === undefined) return { kind: 'external' };
  const problem = keyProblem(certificatePem, stored);
  if (problem !== undefined) return refuse(`${path}.key ${problem}`, restore);
  return { kind: 'reuse' };
}

/** The authority as far as it is here; its certificate is enough to check with. */
export type Signer = { readonly certificatePem: string; readonly hasKey: boolean };

/** Whether a certificate that `signer` has to have signed can be used. */
export function judgeLeaf(judgement: Judgement, signer: Signer): Verdict {
  const { stored, spec, path } = judgement;
  if (stored.certificatePem !== undefined) {
    const refusal = leafRefusal(judgement, stored.certificatePem, signer);
    return refusal === undefined ? { kind: 'reuse' } : { kind: 'refuse', refusal };
  }
  if (signer.hasKey) return judgeKey(stored, path);
  const remedy = `have ${spec.authority} sign ${path}.crt (\`slipway certs generate-csr\` makes the request)`;
  return refuse(`${path}.crt is missing, and the key of ${spec.authority} is not here`, remedy);
}

function leafRefusal(
  { spec, stored, path, now, origin }: Judgement,
  certificatePem: string,
  signer: Signer,
): Refusal | undefined {
  const renew = `run: slipway certs renew ${spec.name}`;
  const anew = `move ${path}.crt and ${path}.key away, then run: slipway init phase certs ${spec.name}`;
  const summary = readSummary(certificatePem);
  if (typeof summary === 'string') return { reason: `${path}.crt ${summary}`, remedy: anew };
  if (stored.keyPem === undefined) {
    return { reason: `${path}.crt is there without ${path}.key`, remedy: anew };
  }
  const problem = keyProblem(certificatePem, stored);
  if (problem !== undefined) return { reason: `${path}.key ${problem}`, remedy: renew };
  if (!chainsTo(certificatePem, signer.certificatePem)) {
    return { reason: `${path}.crt is not signed by authority ${spec.authority}`, remedy: anew };
  }
  const period = outsidePeriod(summary, now);
  if (period !== undefined) return { reason: `${path}.crt ${period}`, remedy: renew };
  const missing = missingNames(spec, certificatePem);
  if (missing.length === 0) return undefined;
  const named = missing.map((name) => `${name} (${origin(name)})`).join(', ');
  return { reason: `${path}.crt does not name ${named}`, remedy: anew };
}

/** Names and addresses that a certificate has to carry and does not; wildcards of it count. */
export function missingNames(spec: CertificateSpec, certificatePem: string): readonly string[] {
  const { dnsNames, ipAddresses } = inspectCertificate(certificatePem);
  const certificate = new X509Certificate(certificatePem);
  const has = dnsNames.map((name) => name.toLowerCase());
  const isNamed = (name: string) =>
    has.includes(name.toLowerCase()) || certificate.checkHost(name) !== undefined;
  return [
    ...spec.dnsNames.filter((name) => !isNamed(name)),
    ...spec.ipAddresses.filter((address) => !ipAddresses.includes(canonicalAddress(address))),
  ];
}

/** Why a certificate is not valid at `now`; undefined when it is. */
export function outsidePeriod(summary: CertificateSummary, now: number): string | undefined {
  const stamp = (ms: number) => new Date(ms).toISOString();
  if (now >= summary.notAfter) return `expired at ${stamp(summary.notAfter)}`;
  if (now >= summary.notBefore) return undefined;
  return `is valid from ${stamp(summary.notBefore)} on, and the clock says ${stamp(now)}`;
}

function judgeKey({ keyPem }: StoredPair, path: string): Verdict {
  if (keyPem === undefined) return { kind: 'make' };
  try {
    return { kind: 'make', key: parsePrivateKey(keyPem) };
  } catch (error) {
    return refuse(`${path}.key: ${describeError(error)}`, `move ${path}.key away`);
  }
}

function keyProblem(certificatePem: string, { keyPem }: StoredPair): string | undefined {
  if (keyPem === undefined) return 'is missing';
  try {
    loadCertificateAndKey(certificatePem, keyPem);
    return undefined;
  } catch (error) {
    return `cannot be used: ${describeError(error)}`;
  }
}

/** Or why it cannot be read. */
function readSummary(certificatePem: string): CertificateSummary | string {
  try {
    return inspectCertificate(certificatePem);
  } catch (error) {
    return `cannot be used: ${describeError(error)}`;
  }
}

function refuse(reason: string, remedy: string): Verdict {
  return { kind: 'refuse', refusal: { reason, remedy } };
}
