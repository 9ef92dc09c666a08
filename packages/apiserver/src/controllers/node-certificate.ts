import { readCertificateSigningRequest, type SigningRequest } from '@slipway/pki';
import { nodesGroup } from '../auth/node-identity.ts';
import type { StoredObject } from '../contract.ts';
import { readStrings, readText } from '../registry/read-path.ts';

export const clientSigner = 'kubernetes.io/kube-apiserver-client';
export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';
export const kubeletServingSigner = 'kubernetes.io/kubelet-serving';

/** PEM of the request in a CertificateSigningRequest. */
export function requestPem(object: StoredObject): string {
  return Buffer.from(readText(object, 'spec', 'request'), 'base64').toString('utf8');
}

/** The decoded request; undefined when it cannot be read or is not signed by its own key. */
export async function readRequest(object: StoredObject): Promise<SigningRequest | undefined> {
  return readCertificateSigningRequest(requestPem(object)).catch(() => undefined);
}

function usagesProblem(
  usages: readonly string[],
  required: string,
  allowed: readonly string[],
): string | undefined {
  const unknown = usages.filter((usage) => usage !== required && !allowed.includes(usage));
  if (unknown.length === 0 && usages.includes(required)) return undefined;
  const expected = [...allowed, required].map((usage) => JSON.stringify(usage)).join(', ');
  return `usages did not match, expected ${expected}`;
}

const plainUsages = ['digital signature', 'key encipherment'];

function nodeSubjectProblem(request: SigningRequest): string | undefined {
  const { commonName, organizations } = request.subject;
  if (organizations.length !== 1 || organizations[0] !== nodesGroup) {
    return `subject organization is not ${nodesGroup}`;
  }
  return commonName.startsWith('system:node:')
    ? undefined
    : 'subject common name does not begin with system:node:';
}

/** Why a request is not for a kubelet's client certificate; undefined: it is. */
export function nodeClientProblem(
  request: SigningRequest,
  usages: readonly string[],
): string | undefined {
  const subject = nodeSubjectProblem(request);
  if (subject !== undefined) return subject;
  const { dnsNames, ipAddresses } = request.names;
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.otherNames.length > 0) return 'Email and URI subjectAltNames are not allowed';
  return usagesProblem(usages, 'client auth', plainUsages);
}

function nodeServingProblem(
  request: SigningRequest,
  usages: readonly string[],
): string | undefined {
  const subject = nodeSubjectProblem(request);
  if (subject !== undefined) return subject;
  const { dnsNames, ipAddresses } = request.names;
  if (dnsNames.length + ipAddresses.length === 0) {
    return 'DNS or IP subjectAltName is required';
  }
  if (request.otherNames.length > 0) return 'Email and URI subjectAltNames are not allowed';
  return usagesProblem(usages, 'server auth', plainUsages);
}

/** Why a signer does not sign the request; undefined: it does. */
export function signerProblem(object: StoredObject, request: SigningRequest): string | undefined {
  const usages = readStrings(object, 'spec', 'usages');
  switch (readText(object, 'spec', 'signerName')) {
    case kubeletClientSigner:
      return nodeClientProblem(request, usages);
    case kubeletServingSigner:
      return nodeServingProblem(request, usages);
    default:
      return usagesProblem(usages, 'client auth', plainUsages);
  }
}
