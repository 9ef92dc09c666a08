import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import {
  createCertificateSigningRequest,
  generatePrivateKey,
  inspectCertificate,
} from '@slipway/pki';
import { StatusError, type StoredObject, type User } from '../contract.ts';
import { hasCondition } from '../controllers/conditions.ts';
import { startBench } from '../local-bench.test.ts';
import { readText } from '../registry/read-path.ts';

const node: User = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const joining: User = {
  name: 'system:bootstrap:abcdef',
  groups: [
    'system:bootstrappers',
    'system:bootstrappers:kubeadm:default-node-token',
    'system:authenticated',
  ],
};

async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'allowed';
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

suite('node restriction', async () => {
  const bench = await startBench();
  after(() => bench[Symbol.asyncDispose]());
  const nodeObject = (name: string, labels: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
  });
  const pod = (name: string, nodeName: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
  });
  const lease = (name: string, namespace = 'kube-node-lease') => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace },
    spec: {},
  });
  await bench.create(nodeObject('n1', { 'kubernetes.io/hostname': 'n1' }), node);
  await bench.create(nodeObject('n2'));
  await bench.create(pod('own', 'n1'));
  await bench.create(pod('other', 'n2'));

  function change(
    plural: string,
    key: string,
    subresource: string | undefined,
    by: (o: StoredObject) => object,
  ) {
    const definition = bench.definition(plural.includes('.') ? 'x' : '', plural);
    const [namespace, name] = key.includes('/') ? key.split('/') : [undefined, key];
    const place = {
      definition,
      namespace,
      name: name ?? '',
      ...(subresource === undefined ? {} : { subresource }),
    };
    return bench.writer.update(place, (object) => by(object) as StoredObject, {
      user: node,
      dryRun: false,
      warnings: [],
    });
  }
  const withMetadata = (more: object) => (object: StoredObject) => ({
    ...object,
    metadata: { ...object.metadata, ...more },
  });
  const remove = (plural: string, namespace: string | undefined, name: string) =>
    bench.writer.remove(
      { definition: bench.definition('', plural), namespace, name },
      {},
      { user: node, dryRun: false, warnings: [] },
    );

  const cases: { name: string; run: () => Promise<unknown>; want: string }[] = [
    {
      name: 'own annotation',
      run: () => change('nodes', 'n1', undefined, withMetadata({ annotations: { a: 'b' } })),
      want: 'allowed',
    },
    {
      name: 'own status',
      run: () => change('nodes', 'n1', 'status', (o) => ({ ...o, status: { phase: 'Running' } })),
      want: 'allowed',
    },
    {
      name: 'another node',
      run: () => change('nodes', 'n2', undefined, withMetadata({ annotations: { a: 'b' } })),
      want: 'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    },
    {
      name: 'create another node',
      run: () => bench.create(nodeObject('n3'), node),
      want: 'nodes "n3" is forbidden: node "n1" is not allowed to modify node "n3"',
    },
    {
      name: 'role label',
      run: () =>
        change(
          'nodes',
          'n1',
          undefined,
          withMetadata({ labels: { 'node-role.kubernetes.io/master': '' } }),
        ),
      want: 'nodes "n1" is forbidden: node "n1" is not allowed to modify labels: node-role.kubernetes.io/master',
    },
    {
      name: 'restricted label below a custom domain',
      run: () =>
        change(
          'nodes',
          'n1',
          undefined,
          withMetadata({
            labels: {
              'kubernetes.io/hostname': 'n1',
              'a.node-restriction.kubernetes.io/b': '',
              'free.io/x': '',
            },
          }),
        ),
      want: 'nodes "n1" is forbidden: node "n1" is not allowed to modify labels: a.node-restriction.kubernetes.io/b',
    },
    {
      name: 'kubelet labels',
      run: () =>
        change(
          'nodes',
          'n1',
          undefined,
          withMetadata({ labels: { 'kubernetes.io/os': 'linux', 'node.kubernetes.io/x': '' } }),
        ),
      want: 'allowed',
    },
    {
      name: 'taints',
      run: () =>
        change('nodes', 'n1', undefined, (o) => ({
          ...o,
          spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
        })),
      want: 'nodes "n1" is forbidden: node "n1" is not allowed to modify taints',
    },
    { name: 'own lease', run: () => bench.create(lease('n1'), node), want: 'allowed' },
    {
      name: 'another lease',
      run: () => bench.create(lease('n2'), node),
      want: 'leases.coordination.k8s.io "n2" is forbidden: can only access node lease with the same name as the requesting node',
    },
    {
      name: 'own pod status',
      run: () =>
        change('pods', 'default/own', 'status', (o) => ({ ...o, status: { phase: 'Running' } })),
      want: 'allowed',
    },
    {
      name: 'another pod status',
      run: () =>
        change('pods', 'default/other', 'status', (o) => ({ ...o, status: { phase: 'Failed' } })),
      want: 'pods "other" is forbidden: node "n1" can only update pod status for pods with spec.nodeName set to itself',
    },
    {
      name: 'ordinary pod',
      run: () => bench.create(pod('made', 'n1'), node),
      want: 'pods "made" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    },
    {
      name: 'delete another pod',
      run: () => remove('pods', 'default', 'other'),
      want: 'pods "other" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
    },
    { name: 'delete own pod', run: () => remove('pods', 'default', 'own'), want: 'allowed' },
  ];
  for (const { name, run, want } of cases) {
    test(name, async () => assert.equal(await outcome(run()), want));
  }
});

suite('namespace lifecycle', async () => {
  const bench = await startBench();
  after(() => bench[Symbol.asyncDispose]());
  const configMap = (namespace: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', namespace },
  });

  test('a missing namespace', async () => {
    assert.equal(await outcome(bench.create(configMap('nope'))), 'namespaces "nope" not found');
  });

  test("the system's own", async () => {
    const namespaces = bench.definition('', 'namespaces');
    assert.equal(
      await outcome(bench.access.delete(namespaces, undefined, 'kube-system')),
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    );
  });
});

suite('certificate requests', async () => {
  const bench = await startBench();
  after(() => bench[Symbol.asyncDispose]());
  const key = await generatePrivateKey('ecdsa-p256');
  const group = 'certificates.k8s.io';
  const plural = 'certificatesigningrequests';

  async function request(
    name: string,
    commonName: string,
    more: object = {},
    organizations = ['system:nodes'],
  ) {
    const pem = await createCertificateSigningRequest(key, { commonName, organizations });
    return {
      apiVersion: `${group}/v1`,
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['digital signature', 'client auth'],
        ...more,
      },
    };
  }
  const certificateOf = (name: string) => {
    const text = readText(bench.get(group, plural, name), 'status', 'certificate');
    return text === '' ? undefined : Buffer.from(text, 'base64').toString();
  };

  test('a joining node gets its certificate', async () => {
    await bench.create(
      await request('join', 'system:node:n1', { expirationSeconds: 3600 }),
      joining,
    );
    const summary = inspectCertificate(await bench.until(() => certificateOf('join')));
    assert.equal(summary.commonName, 'system:node:n1');
    assert.deepEqual(summary.organizations, ['system:nodes']);
    assert.ok(summary.notAfter - Date.now() <= 3_600_000);
  });

  test('a node renews its own', async () => {
    await bench.create(await request('renew', 'system:node:n1'), node);
    await bench.until(() => certificateOf('renew'));
  });

  test('a token does not get the certificate of a Node that is Ready; the node itself does', async () => {
    const heardOf = async (name: string, ready: string) => {
      await bench.create({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
      const status = { conditions: [{ type: 'Ready', status: ready }] };
      const served = bench.definition('', 'nodes');
      const change = (object: StoredObject) => ({ ...object, status });
      await bench.access.update(served, undefined, name, change, { subresource: 'status' });
    };
    await heardOf('n1', 'True');
    await heardOf('n3', 'Unknown');
    await bench.create(await request('take', 'system:node:n1'), joining);
    await bench.until(() => {
      const taken = bench.get(group, plural, 'take');
      return taken !== undefined && hasCondition(taken, 'Denied') ? true : undefined;
    });
    assert.equal(certificateOf('take'), undefined);
    await bench.create(await request('renew-ready', 'system:node:n1'), node);
    await bench.until(() => certificateOf('renew-ready'));
    await bench.create(await request('reinstalled', 'system:node:n3'), joining);
    await bench.until(() => certificateOf('reinstalled'));
  });

  test("a node cannot ask for another's", async () => {
    const refused = await outcome(
      request('steal', 'system:node:n2').then((r) => bench.create(r, node)),
    );
    assert.equal(
      refused,
      'certificatesigningrequests.certificates.k8s.io "steal" is forbidden: can only create a node CSR with CN=system:node:n1',
    );
  });

  test('nobody becomes an administrator', async () => {
    const signerName = 'kubernetes.io/kube-apiserver-client';
    const given = await request('root', 'eve', { signerName }, ['system:masters']);
    assert.match(
      await outcome(bench.create(given, joining)),
      /with system:masters group is not allowed$/,
    );
  });

  test('serving certificates wait for a person; what does not fit its signer fails', async () => {
    const signerName = 'kubernetes.io/kubelet-serving';
    await bench.create(
      await request('serve', 'system:node:n1', { signerName, usages: ['server auth'] }),
      node,
    );
    const definition = bench.definition(group, plural);
    assert.equal(
      hasCondition(bench.get(group, plural, 'serve') as StoredObject, 'Approved'),
      false,
    );
    await bench.access.update(
      definition,
      undefined,
      'serve',
      (object) => ({
        ...object,
        status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test' }] },
      }),
      { subresource: 'approval' },
    );
    const failed = await bench.until(() => {
      const object = bench.get(group, plural, 'serve');
      return object && hasCondition(object, 'Failed') ? object : undefined;
    });
    assert.match(JSON.stringify(failed['status']), /DNS or IP subjectAltName is required/);
  });

  test('approving needs the permission', async () => {
    const definition = bench.definition(group, plural);
    const approve = bench.writer.update(
      { definition, namespace: undefined, name: 'serve', subresource: 'approval' },
      (object) => ({
        ...object,
        status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Me' }] },
      }),
      { user: node, dryRun: false, warnings: [] },
    );
    assert.match(
      await outcome(approve),
      /user not permitted to approve requests with signerName "kubernetes\.io\/kubelet-serving"$/,
    );
  });
});
