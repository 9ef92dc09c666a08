import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { CertificateSigningRequest, ConfigMap, KubeObject, Node } from '@slipway/api';
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
  type Validity,
} from '@slipway/pki';
import { clusterInfoKubeconfig } from '../discovery/cluster-kubeconfig.ts';

/** As much of a cluster as a joining node talks to, over real TLS. */
export type JoinableCluster = AsyncDisposable & {
  readonly endpoint: string;
  readonly pin: string;
  /** PEM of its authority. */
  readonly authorityPem: string;
  /** What was asked, as `METHOD path`. */
  readonly asked: readonly string[];
  /** Authorization headers of what was asked. */
  readonly credentials: readonly (string | undefined)[];
  /** Names of the signing requests. */
  readonly requests: ReadonlyMap<string, CertificateSigningRequest>;
  /** `sign` answers at once; `hold` never; `deny` denies. */
  behaviour: 'sign' | 'hold' | 'deny';
  /** By name; joined nodes may add themselves. */
  readonly nodes: Map<string, Node>;
  /** What the token reads by path (`/api/v1/namespaces/kube-system/configmaps/x`); a number is a failure. */
  readonly objects: Map<string, KubeObject | number>;
  /** What cluster-info reads like, as a change of the right one; a number is the status of a failure. */
  clusterInfo: (right: ConfigMap, reads: number) => ConfigMap | number;
  /** cluster-info with this text, rightly signed. */
  signed(kubeconfig: string): ConfigMap;
};

export type JoinableClusterOptions = {
  readonly authority?: CertificateAuthority;
  /** Of authority and serving certificate; default from now on for 30 days. */
  readonly validity?: Validity;
  /** Of the serving certificate alone; default as `validity`. */
  readonly servingValidity?: Validity;
  /** Addresses of the serving certificate; default 127.0.0.1. */
  readonly addresses?: readonly string[];
};

type Cluster = {
  readonly authority: CertificateAuthority;
  readonly token: BootstrapToken;
  endpoint: string;
  reads: number;
  readonly requests: Map<string, CertificateSigningRequest>;
  /** What the test turns. */
  readonly knobs: Pick<JoinableCluster, 'behaviour' | 'clusterInfo' | 'nodes' | 'objects'>;
};

export async function startJoinableCluster(
  token: BootstrapToken,
  options: JoinableClusterOptions = {},
): Promise<JoinableCluster> {
  const { validity = { now: Date.now(), validityMs: 30 * dayMs } } = options;
  const authority =
    options.authority ?? (await createCertificateAuthority({ commonName: 'kubernetes', validity }));
  const serving = await issueCertificate(authority, {
    subject: { commonName: 'kube-apiserver' },
    ipAddresses: [...(options.addresses ?? ['127.0.0.1'])],
    usages: ['server'],
    validity: options.servingValidity ?? validity,
  });
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const cluster: JoinableCluster = {
    endpoint: '',
    pin: publicKeyPin(authority.certificatePem),
    authorityPem: authority.certificatePem,
    asked,
    credentials,
    requests: new Map(),
    behaviour: 'sign',
    nodes: new Map(),
    objects: new Map(),
    clusterInfo: (right) => right,
    signed: (kubeconfig) => signedClusterInfo(kubeconfig, token),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const requests = new Map<string, CertificateSigningRequest>();
  const state: Cluster = { authority, token, endpoint: '', reads: 0, requests, knobs: cluster };
  const server = createServer(
    {
      cert: serving.certificatePem,
      key: encodePrivateKey(serving.key).reveal(),
      ca: authority.certificatePem,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      credentials.push(request.headers.authorization);
      void answer(state, request, response);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  state.endpoint = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return Object.assign(cluster, { endpoint: state.endpoint, requests });
}

function clusterInfo(cluster: Cluster): ConfigMap | number {
  const { authority, token, endpoint, knobs } = cluster;
  const certificateAuthorityPem = authority.certificatePem;
  const kubeconfig = clusterInfoKubeconfig({ server: endpoint, certificateAuthorityPem });
  cluster.reads += 1;
  return knobs.clusterInfo(signedClusterInfo(kubeconfig, token), cluster.reads);
}

function signedClusterInfo(kubeconfig: string, token: BootstrapToken): ConfigMap {
  return { data: { kubeconfig, [signatureKey(token.id)]: signDetached(kubeconfig, token) } };
}

type Reply = readonly [code: number, body: object];

function failure(code: number, reason: string): Reply {
  return [code, { kind: 'Status', code, reason, message: reason }];
}

async function answer(
  cluster: Cluster,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [code, body] = await replyTo(cluster, request);
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function replyTo(cluster: Cluster, request: IncomingMessage): Promise<Reply> {
  const { authorization } = request.headers;
  const isNode = request.socket instanceof TLSSocket && request.socket.authorized;
  const isJoining =
    authorization === `Bearer ${formatBootstrapToken(cluster.token).reveal()}` || isNode;
  if (authorization !== undefined && !isJoining) return failure(401, 'Unauthorized');
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (path.endsWith('/configmaps/cluster-info')) {
    const found = clusterInfo(cluster);
    return typeof found === 'number' ? failure(found, `answer ${found}`) : [200, found];
  }
  if (!isJoining) return failure(401, 'Unauthorized');
  const object = cluster.knobs.objects.get(path);
  if (typeof object === 'number') return failure(object, object === 403 ? 'Forbidden' : 'Failure');
  if (object !== undefined) return [200, object];
  if (path.startsWith('/api/v1/nodes')) return await replyAboutNodes(cluster, request, path);
  return await replyAboutRequests(cluster, request, path);
}

async function replyAboutNodes(
  { knobs: { nodes } }: Cluster,
  request: IncomingMessage,
  path: string,
): Promise<Reply> {
  if (request.method === 'POST') {
    const node: Node = JSON.parse(await readBody(request));
    const name = node.metadata?.name ?? '';
    if (nodes.has(name)) return failure(409, 'AlreadyExists');
    nodes.set(name, node);
    return [201, node];
  }
  const found = nodes.get(path.slice(path.lastIndexOf('/') + 1));
  return found === undefined ? failure(404, 'NotFound') : [200, found];
}

async function replyAboutRequests(
  cluster: Cluster,
  request: IncomingMessage,
  path: string,
): Promise<Reply> {
  if (request.method === 'POST') {
    const created: CertificateSigningRequest = JSON.parse(await readBody(request));
    const name = created.metadata?.name ?? '';
    if (cluster.requests.has(name)) return failure(409, 'AlreadyExists');
    cluster.requests.set(name, created);
    return [201, created];
  }
  const found = cluster.requests.get(path.slice(path.lastIndexOf('/') + 1));
  if (found === undefined) return failure(404, 'NotFound');
  return [200, { ...found, status: await statusOf(cluster, found) }];
}

async function statusOf(
  { authority, knobs: { behaviour } }: Cluster,
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
