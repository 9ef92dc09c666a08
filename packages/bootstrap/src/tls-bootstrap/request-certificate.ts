import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { type CertificateSigningRequest, certificateSigningRequests } from '@slipway/api';
import { describeError, TerminalError, TransientError } from '@slipway/base';
import { isAlreadyExists, type KubeClient } from '@slipway/kube';
import { createCertificateSigningRequest, inspectCertificate } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';
import { type Waiting, waitFor } from '../waiting/wait-for.ts';

export type CertificateOrder = Waiting & {
  /** As the bootstrap token, or as the node itself when it renews. */
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly key: KeyObject;
  /** Default 5 minutes. */
  readonly timeoutMs?: number;
};

const signerName = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Name of the request: follows from the key and the node, so that asking twice is asking once. */
export function requestName(nodeName: string, key: KeyObject): string {
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const digest = createHash('sha256').update(nodeName).update('\0').update(publicKey).digest('hex');
  return `node-csr-${digest.slice(0, 40)}`;
}

/**
 * Asks the cluster for the node's client certificate and waits until it is signed. Resumable with the
 * same key. Throws a TerminalError when the request is denied and a TransientError when time is up.
 */
export async function requestNodeCertificate(order: CertificateOrder): Promise<string> {
  const { client, nodeName, key, timeoutMs = 300_000 } = order;
  const name = requestName(nodeName, key);
  let created = false;
  const certificatePem = await waitFor<string>(
    {
      ...order,
      timeoutMs,
      awaited: () => `signing request ${name} is not approved and signed yet`,
      expired: (last) => timeoutError(name, last),
    },
    async () => {
      if (!created) await createRequest(order, name);
      created = true;
      const found = await client.get(certificateSigningRequests, name);
      return signedCertificate(found);
    },
  );
  checkCertificate(certificatePem, nodeName, key);
  return certificatePem;
}

async function createRequest(order: CertificateOrder, name: string): Promise<void> {
  const subject = {
    commonName: `system:node:${order.nodeName}`,
    organizations: ['system:nodes'],
  };
  const pem = await createCertificateSigningRequest(order.key, subject);
  try {
    await order.client.create(certificateSigningRequests, {
      metadata: { name },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName,
        usages: ['digital signature', 'client auth'],
      },
    });
  } catch (error) {
    // Asked before a restart.
    if (!isAlreadyExists(error)) throw error;
  }
}

function signedCertificate(request: CertificateSigningRequest): string | undefined {
  const refusal = request.status?.conditions?.find(
    (condition) => condition.type === 'Denied' || condition.type === 'Failed',
  );
  if (refusal !== undefined) {
    const code: BootstrapErrorCode = 'bootstrap.certificate.denied';
    const why = refusal.message ?? refusal.reason ?? 'no reason given';
    throw new TerminalError(
      `request node certificate ${request.metadata?.name}: ${refusal.type.toLowerCase()}: ${why}`,
      { code },
    );
  }
  const certificate = request.status?.certificate;
  if (certificate === undefined || certificate === '') return undefined;
  return Buffer.from(certificate, 'base64').toString('utf8');
}

function checkCertificate(pem: string, nodeName: string, key: KeyObject): void {
  const { commonName, publicKeyPin } = inspectCertificate(pem);
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const pin = `sha256:${createHash('sha256').update(publicKey).digest('hex')}`;
  const fits = commonName === `system:node:${nodeName}` && publicKeyPin === pin;
  if (fits) return;
  const code: BootstrapErrorCode = 'bootstrap.certificate.foreign';
  throw new TerminalError(
    `request node certificate: got one for ${commonName}, not for this node and key`,
    { code },
  );
}

function timeoutError(name: string, last: unknown): TransientError {
  const code: BootstrapErrorCode = 'bootstrap.certificate.timeout';
  const cause = last === undefined ? 'not approved and signed yet' : describeError(last);
  return new TransientError(`wait for certificate signing request ${name}: ${cause}`, {
    code,
    cause: last,
  });
}
