import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { nodes } from '@slipway/api';
import { systemClock } from '@slipway/base';
import {
  createToken,
  defaultTokenEntry,
  deleteTokens,
  discover,
  joinNode,
  nodeConnection,
  registerNode,
  requestNodeCertificate,
} from '@slipway/bootstrap';
import { createSimulatedHost, type HostFiles } from '@slipway/host';
import { createKubeClient, isUnauthorized } from '@slipway/kube';
import { formatBootstrapToken, generatePrivateKey, publicKeyPin } from '@slipway/pki';
import { type EmbeddedCluster, startEmbeddedCluster } from '../kit/embedded-cluster.ts';

suite('joining the embedded API server, with its own signer and approver', () => {
  let cluster: EmbeddedCluster;
  let folder = '';
  let hosts = 0;
  before(async () => {
    cluster = await startEmbeddedCluster();
    folder = mkdtempSync(join(tmpdir(), 'slipway-join-embedded-'));
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function newFiles(): Promise<HostFiles> {
    hosts += 1;
    const directory = join(folder, `host-${hosts}`);
    const host = await createSimulatedHost({ directory, name: 'w', onReboot: () => undefined });
    return host.files;
  }

  async function newToken(change: Partial<typeof defaultTokenEntry> = {}) {
    const entry = { ...defaultTokenEntry, ...change };
    return (await createToken({ client: cluster.client, entry, clock: systemClock })).token;
  }

  const pins = () => [publicKeyPin(cluster.certificateAuthorityPem)];

  test('token, discovery, certificate and Node; then the name is taken', async () => {
    const token = await newToken();
    const files = await newFiles();
    const request = { nodeName: 'w1', endpoint: cluster.server, pins: pins(), token, files };
    assert.deepEqual(await joinNode(request), { kind: 'joined' });
    const client = createKubeClient(await nodeConnection(files));
    const node = await registerNode({ client, nodeName: 'w1' });
    const conditions = [{ type: 'Ready', status: 'True' as const }];
    await client.update(nodes, { ...node, status: { conditions } }, { subresource: 'status' });

    await assert.rejects(joinNode({ ...request, files: await newFiles() }), {
      code: 'bootstrap.node.exists',
    });
    // Whoever asks without looking first is refused by the cluster.
    const joining = createKubeClient({
      server: cluster.server,
      certificateAuthority: { pem: cluster.certificateAuthorityPem },
      token: { secret: formatBootstrapToken(token) },
    });
    const key = await generatePrivateKey('ecdsa-p256');
    const order = { client: joining, nodeName: 'w1', key, clock: systemClock };
    await assert.rejects(requestNodeCertificate(order), {
      code: 'bootstrap.certificate.denied',
      message: /Node w1 is Ready/,
    });
    // The node itself renews.
    const next = await generatePrivateKey('ecdsa-p256');
    await requestNodeCertificate({ ...order, client, key: next });
    for (const one of [client, joining]) one.close();
  });

  const ended = [
    { name: 'expired', change: { ttl: '1ms' }, end: async () => undefined },
    {
      name: 'deleted',
      change: {},
      end: (id: string) =>
        deleteTokens({ client: cluster.client, tokens: [id], onDeleted: () => undefined }),
    },
  ];
  for (const { name, change, end } of ended) {
    test(`a token that is ${name}`, async () => {
      const token = await newToken(change);
      await end(token.id);
      const text = formatBootstrapToken(token).reveal();
      const bootstrapToken = {
        token: text,
        apiServerEndpoint: cluster.server.replace('https://', ''),
        caCertHashes: pins(),
        unsafeSkipCAVerification: false,
      };
      const options = { files: await newFiles(), clock: systemClock, timeoutMs: 100 };
      const attempt = discover({ bootstrapToken, tlsBootstrapToken: text }, options);
      await assert.rejects(attempt, { code: 'bootstrap.discovery.token-unknown' });
    });
  }

  test('a token that may not sign', async () => {
    const token = await newToken({ usages: ['authentication'] });
    const request = { nodeName: 'w2', endpoint: cluster.server, pins: pins(), token };
    await assert.rejects(joinNode({ ...request, files: await newFiles(), timeoutMs: 100 }), {
      code: 'bootstrap.discovery.unsigned',
    });
  });

  test('a token that may not authenticate is found out when it asks', async () => {
    const token = await newToken({ usages: ['signing'], groups: [] });
    const request = { nodeName: 'w2', endpoint: cluster.server, pins: pins(), token };
    await assert.rejects(
      joinNode({ ...request, files: await newFiles(), timeoutMs: 5000 }),
      isUnauthorized,
    );
  });
});
