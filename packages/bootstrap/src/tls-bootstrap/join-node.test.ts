import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '@slipway/base';
import { createSimulatedHost, type HostFiles } from '@slipway/host';
import { createKubeClient } from '@slipway/kube';
import {
  createCertificateAuthority,
  dayMs,
  generateBootstrapToken,
  inspectCertificate,
  isIssuedBy,
  parseBootstrapToken,
} from '@slipway/pki';
import { startJoinableCluster } from '../testing/joinable-cluster.ts';
import { joinNode } from './join-node.ts';
import { waitForKubeletCredentials } from './kubelet-credentials.ts';
import { nodeConnection, nodePaths, pendingKey, readCredential } from './node-files.ts';
import { registerNode } from './register-node.ts';

const token = generateBootstrapToken();

suite('joining', () => {
  let folder = '';
  let hosts = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-join-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function newFiles(): Promise<HostFiles> {
    hosts += 1;
    const directory = join(folder, `host-${hosts}`);
    const host = await createSimulatedHost({ directory, name: 'w', onReboot: () => undefined });
    return host.files;
  }

  async function text(files: HostFiles, path: string): Promise<string> {
    return Buffer.from(await files.read(path)).toString('utf8');
  }

  test('a host gets its identity, and asks for nothing when it has one', async () => {
    await using cluster = await startJoinableCluster(token);
    const { endpoint, pin } = cluster;
    const request = { nodeName: 'worker-1', endpoint, pins: [pin], token, files: await newFiles() };
    assert.deepEqual(await joinNode(request), { kind: 'joined' });
    const { files } = request;
    const summary = inspectCertificate(await text(files, nodePaths.credential));
    assert.equal(summary.commonName, 'system:node:worker-1');
    assert.deepEqual(summary.organizations, ['system:nodes']);
    for (const path of [nodePaths.credential, nodePaths.kubeconfig]) {
      assert.equal((await files.stat(path))?.mode, 0o600, path);
    }
    assert.equal(await files.stat(nodePaths.pendingKey), undefined);
    assert.equal((await nodeConnection(files)).server, endpoint);

    const before = cluster.asked.length;
    assert.deepEqual(await joinNode(request), { kind: 'kept' });
    assert.equal(cluster.asked.length, before);
  });

  test('broken off, it goes on with the same key and the same request', async () => {
    await using cluster = await startJoinableCluster(token);
    cluster.behaviour = 'hold';
    const { endpoint, pin } = cluster;
    const files = await newFiles();
    const request = { nodeName: 'worker-1', endpoint, pins: [pin], token, files };
    const told: string[] = [];
    const onWait = (text: string) => told.push(text);
    await assert.rejects(joinNode({ ...request, timeoutMs: 100, onWait }), {
      code: 'bootstrap.certificate.timeout',
    });
    assert.match(told.join(), /^signing request node-csr-\w+ is not approved and signed yet$/);
    const key = await pendingKey(files);
    cluster.behaviour = 'sign';
    await joinNode(request);
    assert.equal(cluster.requests.size, 1);
    const credential = await readCredential(files, 'worker-1', systemClock.now());
    assert.ok(credential?.key.equals(key));
  });

  test('a denied request is an error with the reason; the next try uses another key', async () => {
    await using cluster = await startJoinableCluster(token);
    cluster.behaviour = 'deny';
    const { endpoint, pin } = cluster;
    const request = { nodeName: 'w', endpoint, pins: [pin], token, files: await newFiles() };
    await assert.rejects(joinNode(request), {
      code: 'bootstrap.certificate.denied',
      message: /not on my watch/,
    });
    cluster.behaviour = 'sign';
    await joinNode(request);
    assert.equal(cluster.requests.size, 2);
  });

  test('a cluster that moved keeps the certificate; one with another authority does not', async () => {
    const validity = { now: Date.now(), validityMs: 30 * dayMs };
    const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
    await using first = await startJoinableCluster(token, { authority });
    await using moved = await startJoinableCluster(token, { authority });
    await using other = await startJoinableCluster(token);
    const files = await newFiles();
    const join = async ({ endpoint, pin }: typeof first) => {
      await joinNode({ nodeName: 'w', endpoint, pins: [pin], token, files });
      assert.equal((await nodeConnection(files)).server, endpoint);
      return await text(files, nodePaths.credential);
    };
    const credential = await join(first);
    assert.equal(await join(moved), credential);
    const renewed = await join(other);
    assert.ok(!isIssuedBy(renewed, authority.certificatePem));
  });

  test('the name of a Node that is Ready is not taken; of one that is not, it is', async () => {
    await using cluster = await startJoinableCluster(token);
    const { endpoint, pin } = cluster;
    const request = { nodeName: 'w', endpoint, pins: [pin], token, files: await newFiles() };
    const ready = (status: 'True' | 'Unknown') => ({
      metadata: { name: 'w' },
      status: { conditions: [{ type: 'Ready', status }] },
    });
    cluster.nodes.set('w', ready('True'));
    await assert.rejects(joinNode(request), { code: 'bootstrap.node.exists' });
    assert.equal(cluster.requests.size, 0);
    cluster.nodes.set('w', ready('Unknown'));
    assert.deepEqual(await joinNode(request), { kind: 'joined' });
  });

  test('a joined host registers its Node with its own certificate, once', async () => {
    await using cluster = await startJoinableCluster(token);
    const { endpoint, pin } = cluster;
    const files = await newFiles();
    const bare = endpoint.replace('https://', '');
    await joinNode({ nodeName: 'w', endpoint: bare, pins: [pin], token, files });
    const client = createKubeClient(await nodeConnection(files));
    const taints = [{ key: 'k', effect: 'NoSchedule' }];
    const node = await registerNode({ client, nodeName: 'w', taints });
    assert.deepEqual(node.spec?.taints, taints);
    assert.deepEqual(await registerNode({ client, nodeName: 'w' }), node);
    client.close();
    const waited = await waitForKubeletCredentials({ files, clock: systemClock });
    assert.equal(waited.server, endpoint);
  });

  const wrong = [
    {
      name: 'another pin',
      change: { pins: [`sha256:${'0'.repeat(64)}`] },
      want: 'bootstrap.discovery.pin',
    },
    {
      name: 'half a pin',
      change: { pins: ['sha256:00'] },
      want: 'bootstrap.discovery.pin-malformed',
    },
    { name: 'no pin', change: { pins: [] }, want: 'bootstrap.discovery.pin' },
    {
      name: 'another secret',
      change: { token: parseBootstrapToken(`${token.id}.0000000000000000`) },
      want: 'bootstrap.discovery.signature',
    },
    {
      name: 'a token that the cluster does not know',
      change: { token: generateBootstrapToken(), timeoutMs: 50 },
      want: 'bootstrap.discovery.token-unknown',
    },
  ];
  for (const { name, change, want } of wrong) {
    test(`refused before anything is asked for: ${name}`, async () => {
      await using cluster = await startJoinableCluster(token);
      const { endpoint, pin } = cluster;
      const files = await newFiles();
      const request = { nodeName: 'w', endpoint, pins: [pin], token, files };
      await assert.rejects(joinNode({ ...request, ...change }), { code: want });
      assert.equal(cluster.requests.size, 0);
      assert.equal(await files.stat(nodePaths.kubeconfig), undefined);
    });
  }
});
