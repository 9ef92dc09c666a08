import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnnotationPatch, type Node, nodeRoleLabel, nodes } from '@slipway/api';
import { createApiServer } from '@slipway/apiserver';
import { Secret, silentLogger, systemClock } from '@slipway/base';
import { createKubeClient, type KubeClient } from '@slipway/kube';
import { createOperator } from '@slipway/operator';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';

/** An embedded API server with the operator on it, and clients of it. */
export type OperatorKit = AsyncDisposable & {
  readonly client: KubeClient;
  /** A client that comes as a node. */
  nodeClient(name: string): Promise<KubeClient>;
  addNode(name: string): Promise<Node>;
  annotate(name: string, annotations: AnnotationPatch): Promise<void>;
  /** Stops the operator and starts another one, which has to be elected. */
  replaceOperator(): Promise<void>;
};

export async function startOperator(): Promise<OperatorKit> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'slipway-operator-'));
  const validity = { now: Date.now(), validityMs: dayMs };
  const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
  const serving = await issueCertificate(authority, {
    subject: { commonName: 'kube-apiserver' },
    usages: ['server'],
    validity,
    ipAddresses: ['127.0.0.1'],
  });
  const server = createApiServer({
    dataDirectory,
    port: 0,
    serving: {
      certificatePem: serving.certificatePem,
      keyPem: encodePrivateKey(serving.key).reveal(),
    },
    certificateAuthority: authority,
    clock: systemClock,
    logger: silentLogger,
  });
  await server.start();
  const clients: KubeClient[] = [];
  const clientOf = async (commonName: string, organization: string): Promise<KubeClient> => {
    const identity = await issueCertificate(authority, {
      subject: { commonName, organizations: [organization] },
      usages: ['client'],
      validity,
    });
    const client = createKubeClient({
      server: server.url,
      certificateAuthority: { pem: authority.certificatePem },
      clientCertificate: { pem: identity.certificatePem },
      clientKey: { secret: new Secret(encodePrivateKey(identity.key).reveal()) },
    });
    clients.push(client);
    return client;
  };
  const client = await clientOf('kubernetes-admin', 'system:masters');
  const webhook = { host: '127.0.0.1', port: 0 };
  const options = { client, clock: systemClock, logger: silentLogger, webhook };
  let operator = createOperator(options);
  await operator.start();
  return {
    client,
    nodeClient: (name) => clientOf(`system:node:${name}`, 'system:nodes'),
    addNode: (name) => createNode(client, name),
    async annotate(name, annotations) {
      await client.patch(nodes, name, { type: 'merge', body: { metadata: { annotations } } });
    },
    async replaceOperator() {
      await operator.stop();
      operator = createOperator({ ...options, leadership: {} });
      await operator.start();
    },
    async [Symbol.asyncDispose]() {
      await operator.stop();
      for (const each of clients) each.close();
      await server.stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

async function createNode(client: KubeClient, name: string): Promise<Node> {
  await client.create(nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [nodeRoleLabel.worker]: '' } },
  });
  const body = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  return client.patch(nodes, name, { type: 'merge', body }, { subresource: 'status' });
}
