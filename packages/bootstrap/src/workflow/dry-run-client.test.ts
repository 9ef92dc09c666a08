import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { configMaps, nodes, secrets } from '@slipway/api';
import { isAlreadyExists, isNotFound, type KubeClient } from '@slipway/kube';
import { createDryRunClient } from './dry-run-client.ts';
import { recordingReporter } from './testing/recording-reporter.ts';

const key = { namespace: 'kube-system', name: 'kubeadm-config' };
const node = { metadata: { name: 'cp1', labels: { a: '1' } } };

function dryRun(real?: KubeClient) {
  const { reporter, lines } = recordingReporter();
  const substitutes = [{ resource: nodes, object: node }];
  const client = createDryRunClient({ reporter, substitutes, ...(real ? { real } : {}) });
  return { client, lines };
}

suite('createDryRunClient', () => {
  test('what was created is read back, and cannot be created again', async () => {
    const { client, lines } = dryRun();
    await assert.rejects(client.get(configMaps, key), isNotFound);
    await client.create(configMaps, { metadata: key, data: { a: 'b' } });
    assert.deepEqual((await client.get(configMaps, key)).data, { a: 'b' });
    await assert.rejects(client.create(configMaps, { metadata: key }), isAlreadyExists);
    assert.deepEqual(lines, [
      '[dryrun] would create ConfigMap kube-system/kubeadm-config:',
      'data:\n  a: b\nmetadata:\n  name: kubeadm-config\n  namespace: kube-system',
    ]);
    assert.equal((await client.list(configMaps, { namespace: 'kube-system' })).length, 1);
    assert.equal((await client.list(configMaps, { namespace: 'default' })).length, 0);
  });

  test('a patch is told and merged into what the run knows', async () => {
    const { client, lines } = dryRun();
    const body = { metadata: { labels: { b: '2', a: null } } };
    await client.patch(nodes, 'cp1', { type: 'merge', body });
    assert.deepEqual((await client.get(nodes, 'cp1')).metadata?.labels, { b: '2' });
    assert.equal(lines[0], '[dryrun] would merge-patch Node cp1:');
  });

  test('what was deleted is gone', async () => {
    const { client } = dryRun();
    await client.delete(nodes, 'cp1');
    await assert.rejects(client.get(nodes, 'cp1'), isNotFound);
  });

  test('a real cluster is read and never written', async () => {
    const untouched = () => assert.fail('the real cluster was written');
    const real = {
      get: async () => ({ metadata: key, data: { from: 'real' } }),
      list: async () => [{ metadata: key, data: { from: 'real' } }],
      create: untouched,
      update: untouched,
      patch: untouched,
      delete: untouched,
    } as unknown as KubeClient;
    const { client } = dryRun(real);
    assert.deepEqual((await client.get(configMaps, key)).data, { from: 'real' });
    await client.update(configMaps, { metadata: key, data: { from: 'run' } });
    await client.patch(configMaps, key, { type: 'merge', body: { data: { more: 'x' } } });
    assert.deepEqual((await client.get(configMaps, key)).data, { from: 'run', more: 'x' });
    await client.delete(configMaps, key);
    assert.deepEqual(await client.list(configMaps, {}), []);
  });

  test('contents of Secrets are not shown, but for what says nothing of them', async () => {
    const { client, lines } = dryRun();
    await client.create(secrets, {
      kind: 'Secret',
      type: 'bootstrap.kubernetes.io/token',
      metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
      data: { 'token-id': 'YWJjZGVm', 'token-secret': 'c2VjcmV0' },
    });
    await client.create(secrets, {
      kind: 'Secret',
      metadata: { namespace: 'kube-system', name: 'kubeadm-certs' },
      data: { 'ca.key': 'c2VjcmV0' },
    });
    const told = lines.join('\n');
    assert.ok(told.includes('token-id: YWJjZGVm') && /ca\.key: ['"]\*{3}['"]/.test(told), told);
    assert.ok(!told.includes('c2VjcmV0'));
  });
});
