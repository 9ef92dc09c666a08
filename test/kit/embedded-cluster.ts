import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiServer } from '@slipway/apiserver';
import { Secret, silentLogger, systemClock } from '@slipway/base';
import {
  createKubeClient,
  type KubeClient,
  renderKubeconfig,
  singleUserKubeconfig,
} from '@slipway/kube';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';

/** An embedded API server for tests, and identities of its authority. */
export type EmbeddedCluster = AsyncDisposable & {
  /** Comes with system:masters. */
  readonly client: KubeClient;
  readonly server: string;
  readonly certificateAuthorityPem: string;
  clientOf(commonName: string, organizations?: readonly string[]): Promise<KubeClient>;
  /** Text of a kubeconfig of an administrator. */
  kubeconfig(): Promise<string>;
};

async function issueServing(authority: Awaited<ReturnType<typeof createCertificateAuthority>>) {
  const validity = { now: Date.now(), validityMs: dayMs };
  const serving = await issueCertificate(authority, {
    subject: { commonName: 'kube-apiserver' },
    usages: ['server'],
    validity,
    ipAddresses: ['127.0.0.1'],
  });
  return {
    certificatePem: serving.certificatePem,
    keyPem: encodePrivateKey(serving.key).reveal(),
  };
}

export async function startEmbeddedCluster(): Promise<EmbeddedCluster> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'slipway-bootstrap-'));
  const validity = { now: Date.now(), validityMs: dayMs };
  const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
  const server = createApiServer({
    dataDirectory,
    port: 0,
    serving: await issueServing(authority),
    certificateAuthority: authority,
    clock: systemClock,
    logger: silentLogger,
  });
  await server.start();
  const certificateAuthority = { pem: authority.certificatePem };
  const identityOf = async (commonName: string, organizations: readonly string[]) => {
    const subject = { commonName, organizations };
    const issued = await issueCertificate(authority, { subject, usages: ['client'], validity });
    const clientKey = { secret: new Secret(encodePrivateKey(issued.key).reveal()) };
    return { clientCertificate: { pem: issued.certificatePem }, clientKey };
  };
  const clients: KubeClient[] = [];
  const clientOf = async (commonName: string, organizations: readonly string[] = []) => {
    const identity = await identityOf(commonName, organizations);
    const client = createKubeClient({ server: server.url, certificateAuthority, ...identity });
    clients.push(client);
    return client;
  };
  return {
    client: await clientOf('kubernetes-admin', ['system:masters']),
    server: server.url,
    certificateAuthorityPem: authority.certificatePem,
    clientOf,
    async kubeconfig() {
      const identity = await identityOf('kubernetes-admin', ['system:masters']);
      return renderKubeconfig(
        singleUserKubeconfig(
          { name: 'kubernetes', server: server.url, certificateAuthority },
          { name: 'kubernetes-admin', ...identity },
        ),
      );
    },
    async [Symbol.asyncDispose]() {
      for (const each of clients) each.close();
      await server.stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}
