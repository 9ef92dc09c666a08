import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  bootstrapTokenSecret,
  createCertificateSigningRequest,
  formatBootstrapToken,
  generatePrivateKey,
  parseBootstrapToken,
} from '@slipway/pki';
import { type Client, RunningServer } from '../testing/running-server.ts';

const token = parseBootstrapToken('abcdef.0123456789abcdef');
const bearer = { headers: { authorization: `Bearer ${formatBootstrapToken(token).reveal()}` } };
const csrs = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** The whole way of a host into the cluster, over HTTPS as hosts go it, and what it may do then. */
suite('a host joins', () => {
  let server: RunningServer;
  let admin: Client;
  let node: Client;

  before(async () => {
    server = await RunningServer.start();
    admin = server.client();
    await admin.call(
      'POST',
      '/api/v1/namespaces/kube-system/secrets',
      bootstrapTokenSecret({ token }),
    );
    await admin.call('POST', '/api/v1/nodes', { metadata: { name: 'n2' } });
    node = server.client(await join('n1'));
  });
  after(() => server[Symbol.asyncDispose]());

  async function join(name: string) {
    const key = await generatePrivateKey();
    const subject = { commonName: `system:node:${name}`, organizations: ['system:nodes'] };
    const pem = await createCertificateSigningRequest(key, subject);
    const unknown = server.client(null);
    const spec = {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    };
    const made = await unknown.call('POST', csrs, { metadata: { name }, spec }, bearer);
    assert.equal(made.code, 201, made.text);
    assert.equal(made.json.spec.username, 'system:bootstrap:abcdef');
    for (;;) {
      const { json } = await unknown.call('GET', `${csrs}/${name}`, undefined, bearer);
      const certificate = json.status?.certificate;
      if (certificate !== undefined) {
        return { certificatePem: Buffer.from(certificate, 'base64').toString(), key };
      }
      await setImmediate();
    }
  }

  test('anybody reads cluster-info, and nothing else', async () => {
    const anonymous = server.client(null);
    const code = async (path: string) => (await anonymous.call('GET', path)).code;
    assert.equal(await code('/api/v1/namespaces/kube-public/configmaps'), 403);
    assert.equal(await code('/api/v1/nodes'), 403);
    assert.equal(await code('/version'), 200);
    const wrong = { headers: { authorization: 'Bearer abcdef.ffffffffffffffff' } };
    assert.equal((await anonymous.call('GET', '/version', undefined, wrong)).code, 401);
  });

  test('a token is good for joining only', async () => {
    const unknown = server.client(null);
    const ask = async (path: string) => (await unknown.call('GET', path, undefined, bearer)).code;
    assert.equal(await ask('/api/v1/nodes/n2'), 200);
    assert.equal(await ask('/api/v1/nodes'), 403);
    assert.equal(await ask('/api/v1/namespaces/kube-system/secrets'), 403);
  });

  const merge = { contentType: 'application/merge-patch+json' };
  const cases: {
    name: string;
    run: () => ReturnType<Client['call']>;
    code: number;
    message?: string;
  }[] = [
    {
      name: 'creates itself',
      run: () => node.call('POST', '/api/v1/nodes', { metadata: { name: 'n1' } }),
      code: 201,
    },
    { name: 'reads itself', run: () => node.call('GET', '/api/v1/nodes/n1'), code: 200 },
    {
      name: 'annotates itself',
      run: () =>
        node.call('PATCH', '/api/v1/nodes/n1', { metadata: { annotations: { a: 'b' } } }, merge),
      code: 200,
    },
    {
      name: 'does not take a role',
      run: () =>
        node.call(
          'PATCH',
          '/api/v1/nodes/n1',
          { metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } },
          merge,
        ),
      code: 403,
      message:
        'nodes "n1" is forbidden: node "n1" is not allowed to modify labels: node-role.kubernetes.io/control-plane',
    },
    {
      name: 'does not read another',
      run: () => node.call('GET', '/api/v1/nodes/n2'),
      code: 403,
      message: `nodes "n2" is forbidden: User "system:node:n1" cannot get resource "nodes" in API group "" at the cluster scope: node 'n1' cannot read 'n2', only its own Node object`,
    },
    {
      name: 'does not change another',
      run: () =>
        node.call('PATCH', '/api/v1/nodes/n2', { metadata: { annotations: { a: 'b' } } }, merge),
      code: 403,
      message: 'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    },
    {
      name: 'does not change the status of another',
      run: () => node.call('PATCH', '/api/v1/nodes/n2/status', { status: { phase: 'x' } }, merge),
      code: 403,
    },
    { name: 'does not list nodes', run: () => node.call('GET', '/api/v1/nodes'), code: 403 },
    {
      name: 'lists itself',
      run: () => node.call('GET', '/api/v1/nodes?fieldSelector=metadata.name%3Dn1'),
      code: 200,
    },
    {
      name: 'does not delete itself',
      run: () => node.call('DELETE', '/api/v1/nodes/n1'),
      code: 403,
    },
    {
      name: 'has a lease',
      run: () => node.call('POST', leases, { metadata: { name: 'n1' }, spec: {} }),
      code: 201,
    },
    {
      name: 'has no other lease',
      run: () => node.call('POST', leases, { metadata: { name: 'n2' }, spec: {} }),
      code: 403,
    },
    {
      name: 'reads no secret',
      run: () => node.call('GET', '/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef'),
      code: 403,
    },
    {
      name: 'does not become somebody else',
      run: () =>
        node.call('GET', '/api/v1/nodes', undefined, { headers: { 'impersonate-user': 'admin' } }),
      code: 403,
    },
  ];
  for (const { name, run, code, message } of cases) {
    test(`and ${name}`, async () => {
      const reply = await run();
      assert.equal(reply.code, code, reply.text);
      if (message !== undefined) assert.equal(reply.json.message, message);
    });
  }
});
