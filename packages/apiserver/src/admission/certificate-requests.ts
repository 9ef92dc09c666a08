import { jsonEqual } from '@slipway/base';
import { readCertificateSigningRequest } from '@slipway/pki';
import type { AdmissionPlugin, AdmissionRequest, Authorizer } from '../contract.ts';
import { readPath, readText } from '../registry/read-path.ts';
import { isAbout, refusal } from './refusal.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** Whether the user has `verb` on the signer itself, or on all of its domain. */
function maySigner(
  request: AdmissionRequest,
  verb: 'approve' | 'sign',
  signer: string,
  authorizer: Authorizer,
): boolean {
  const domain = `${signer.split('/')[0]}/*`;
  return [signer, domain].some(
    (name) =>
      authorizer.authorize({
        user: request.user,
        verb,
        apiGroup: 'certificates.k8s.io',
        apiVersion: '*',
        resource: 'signers',
        name,
      }).allowed,
  );
}

function checkSigner(
  request: AdmissionRequest,
  verb: 'approve' | 'sign',
  authorizer: Authorizer,
): void {
  const signer = readText(request.oldObject, 'spec', 'signerName');
  if (maySigner(request, verb, signer, authorizer)) return;
  const cause = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`;
  throw refusal(request, cause);
}

function decides(request: AdmissionRequest): boolean {
  const { object, oldObject } = request;
  const read = (path: string) =>
    jsonEqual(readPath(object, 'status', path), readPath(oldObject, 'status', path));
  return !read('certificate') || !read('conditions');
}

/** Nobody becomes an administrator by having a certificate signed. */
async function checkSubject(request: AdmissionRequest): Promise<void> {
  if (readText(request.object, 'spec', 'signerName') !== clientSigner) return;
  const pem = Buffer.from(readText(request.object, 'spec', 'request'), 'base64').toString('utf8');
  const signing = await readCertificateSigningRequest(pem).catch(() => undefined);
  if (signing === undefined) throw refusal(request, 'failed to parse CSR');
  if (signing.subject.organizations.includes('system:masters')) {
    const cause = `use of ${clientSigner} signer with system:masters group is not allowed`;
    throw refusal(request, cause);
  }
}

/** Who may approve and sign, and which subjects may be asked for. */
export function createCertificateRequestChecks(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateRequests',
    async validate(request) {
      if (!isAbout(request, 'certificates.k8s.io', 'certificatesigningrequests')) return [];
      const { operation, subresource } = request;
      if (operation === 'CREATE' && subresource === undefined) await checkSubject(request);
      if (operation !== 'UPDATE') return [];
      if (subresource === 'approval') checkSigner(request, 'approve', authorizer);
      if (subresource === 'status' && decides(request)) checkSigner(request, 'sign', authorizer);
      return [];
    },
  };
}
