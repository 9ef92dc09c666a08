import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { CertificateSigningRequest, ConfigMap } from '@slipway/api';
import {
  type BootstrapToken,
  type CertificateAuthority,
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  formatBootstrapToken,
  issueCertificate,
  publicKeyPin,
  signatureKey,
  signCertificateSigningRequest,
  signDetached,
} from '@slipway/pki';
import { clusterInfoKubeconfig } from '../tls-bootstrap/cluster-kubeconfig.ts';

/** As much of a cluster as a joining node talks to, over real TLS. */
export type JoinableCluster = AsyncDisposable & {
  readonly endpoint: string;
  readonly pin: string;
  /** What was asked, as `METHOD path`. */
  readonly asked: readonly string[];
  /** Names of the signing requests. */
  readonly requests: ReadonlyMap<string, CertificateSigningRequest>;
  /** `sign` answers at once; `hold` never; `deny` denies. */
  behaviour: 'sign' | 'hold' | 'deny';
};

type Cluster = {
  authority: CertificateAuthority;
  token: BootstrapToken;
  endpoint: string;
  requests: Map<string, CertificateSigningRequest>;
  behaviour: JoinableCluster['behaviour'];
};

export async function startJoinableCluster(
  token: BootstrapToken,
  authority?: CertificateAuthority,
): Promise<JoinableCluster> {
  const validity = { now: Date.now(), validityMs: 30 * dayMs };
  const ca =
    authority ?? (await createCertificateAuthority({ commonName: 'kubernetes', validity }));
  const serving = await issueCertificate(ca, {
    subject: { commonName: 'kube-apiserver' },
    ipAddresses: ['127.0.0.1'],
    usages: ['server'],
    validity,
  });
  const asked: string[] = [];
  const cluster: Cluster = {
    authority: ca,
    token,
    endpoint: '',
    requests: new Map(),
    behaviour: 'sign',
  };
  const server = createServer(
    { cert: serving.certificatePem, key: encodePrivateKey(serving.key).reveal() },
    (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      void answer(cluster, request, response);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  cluster.endpoint = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return {
    endpoint: cluster.endpoint,
    pin: publicKeyPin(ca.certificatePem),
    asked,
    requests: cluster.requests,
    get behaviour() {
      return cluster.behaviour;
    },
    set behaviour(value) {
      cluster.behaviour = value;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function clusterInfo({ authority, token, endpoint }: Cluster): ConfigMap {
  const certificateAuthorityPem = authority.certificatePem;
  const kubeconfig = clusterInfoKubeconfig({ server: endpoint, certificateAuthorityPem });
  return { data: { kubeconfig, [signatureKey(token.id)]: signDetached(kubeconfig, token) } };
}

async function answer(
  cluster: Cluster,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = (code: number, body: object) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const path = request.url ?? '';
  if (path.endsWith('/configmaps/cluster-info')) return reply(200, clusterInfo(cluster));
  if (request.headers.authorization !== `Bearer ${formatBootstrapToken(cluster.token).reveal()}`) {
    return reply(401, { kind: 'Status', code: 401, reason: 'Unauthorized' });
  }
  if (request.method === 'POST') {
    const created: CertificateSigningRequest = JSON.parse(await readBody(request));
    const name = created.metadata?.name ?? '';
    if (cluster.requests.has(name)) {
      return reply(409, { kind: 'Status', code: 409, reason: 'AlreadyExists' });
    }
    cluster.requests.set(name, created);
    return reply(201, created);
  }
  const found = cluster.requests.get(path.slice(path.lastIndexOf('/') + 1));
  if (found === undefined) return reply(404, { kind: 'Status', code: 404, reason: 'NotFound' });
  return reply(200, { ...found, status: await statusOf(cluster, found) });
}

async function statusOf(
  { authority, behaviour }: Cluster,
  { spec }: CertificateSigningRequest,
): Promise<object> {
  if (behaviour === 'hold') return {};
  if (behaviour === 'deny') {
    return { conditions: [{ type: 'Denied', status: 'True', message: 'not on my watch' }] };
  }
  const pem = await signCertificateSigningRequest(
    authority,
    Buffer.from(spec.request, 'base64').toString('utf8'),
    { usages: spec.usages ?? [], validityMs: dayMs, now: Date.now() },
  );
  return { certificate: Buffer.from(pem).toString('base64') };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
