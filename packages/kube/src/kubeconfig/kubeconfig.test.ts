import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Secret } from '@slipway/base';
import { singleUserKubeconfig } from './kubeconfig.ts';
import { connectionOf, kubeconfigConnection, loadKubeconfig } from './load-kubeconfig.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { renderKubeconfig } from './render-kubeconfig.ts';

const testdata = new URL('./testdata/', import.meta.url);

test('a kubeconfig as kubectl and minikube write it', async () => {
  const text = await readFile(new URL('mixed.yaml', testdata), 'utf8');
  const kubeconfig = parseKubeconfig(text, { folder: '/home/ada/.kube' });
  assert.deepEqual(
    kubeconfig.contexts.map((context) => context.name),
    ['ada@prod', 'minikube', 'robot'],
  );
  assert.deepEqual(connectionOf(kubeconfig), {
    server: 'https://10.0.0.1:6443',
    certificateAuthority: { pem: 'authority\n' },
    clientCertificate: { pem: 'certificate\n' },
    clientKey: { secret: new Secret('key\n') },
  });
  // A Secret hides from comparison.
  const { clientKey } = connectionOf(kubeconfig);
  assert.ok(clientKey !== undefined && 'secret' in clientKey);
  assert.equal(clientKey.secret.reveal(), 'key\n');
  assert.deepEqual(connectionOf(kubeconfig, 'minikube'), {
    server: 'https://192.168.49.2:8443',
    certificateAuthority: { path: '/home/ada/.minikube/ca.crt' },
    clientCertificate: { path: '/home/ada/.kube/profiles/client.crt' },
    clientKey: { path: '/etc/keys/client.key' },
  });
  assert.throws(() => connectionOf(kubeconfig, 'robot'), {
    code: 'kube.bad-kubeconfig',
    message: 'use kubeconfig: user robot needs exec, which slipway does not support',
  });
});

test('what is wrong with a kubeconfig is named', () => {
  const table = [
    { name: 'a list', given: '- a', want: 'it is not a map' },
    { name: 'empty', given: '# nothing', want: 'it is not a map' },
    { name: 'other kind', given: 'kind: Pod', want: 'kind: it must be Config' },
    { name: 'JSON', given: '{"kind": }', want: 'Unexpected token' },
    { name: 'clusters', given: 'clusters: x', want: 'clusters: it must be a list' },
    { name: 'entry', given: 'clusters: [ ]\nusers:\n- x', want: 'users[0]: it must be a map' },
    {
      name: 'flag',
      given: 'clusters:\n- cluster:\n    insecure-skip-tls-verify: maybe',
      want: 'clusters[0].cluster.insecure-skip-tls-verify: it must be true or false',
    },
    {
      name: 'base64',
      given: 'users:\n- user:\n    client-key-data: "-----BEGIN"',
      want: 'users[0].user.client-key-data: it is not base64',
    },
    {
      name: 'YAML',
      given: 'clusters:\n  - cluster: {a: b}',
      want: '2:14: a value cannot begin with {',
    },
  ];
  for (const { name, given, want } of table) {
    assert.throws(
      () => parseKubeconfig(given, { source: 'admin.conf' }),
      (error: Error) => error.message.startsWith(`read admin.conf: ${want}`),
      name,
    );
  }
});

test('a connection needs a context, a cluster, a server and a user that exist', () => {
  const cluster = { name: 'c', server: 'https://h' };
  const context = { name: 'x', cluster: 'c', user: '' };
  const whole = { clusters: [cluster], users: [], contexts: [context], currentContext: 'x' };
  assert.deepEqual(connectionOf(whole), { server: 'https://h' });
  const table = [
    { given: { ...whole, contexts: [] }, want: 'it has no context named "x"' },
    { given: { ...whole, clusters: [] }, want: 'it has no cluster named "c"' },
    {
      given: { ...whole, clusters: [{ ...cluster, server: '' }] },
      want: 'cluster c has no server',
    },
    {
      given: { ...whole, contexts: [{ ...context, user: 'u' }] },
      want: 'it has no user named "u"',
    },
    {
      given: { ...whole, clusters: [{ ...cluster, unsupported: 'proxy-url' }] },
      want: 'cluster c needs proxy-url, which slipway does not support',
    },
  ];
  for (const { given, want } of table) {
    assert.throws(() => connectionOf(given), { message: `use kubeconfig: ${want}` });
  }
  const { currentContext: _none, ...contextless } = whole;
  assert.throws(() => connectionOf(contextless), /it has no current-context/);
});

test('what is rendered is what was meant, byte for byte and read back', async () => {
  const kubeconfig = singleUserKubeconfig(
    { name: 'kubernetes', server: 'https://10.0.0.1:6443', certificateAuthority: { pem: 'ca\n' } },
    {
      name: 'system:node:worker-1',
      clientCertificate: { path: '/var/lib/kubelet/pki/client.pem' },
      clientKey: { path: '/var/lib/kubelet/pki/client.pem' },
    },
    'kube-system',
  );
  const text = renderKubeconfig(kubeconfig);
  assert.equal(text, await readFile(new URL('rendered.yaml', testdata), 'utf8'));
  assert.deepEqual(parseKubeconfig(text), kubeconfig);
});

test('a kubeconfig that is rewritten gives the new connection', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  const path = join(folder, 'config');
  const write = (server: string) =>
    writeFile(path, renderKubeconfig(singleUserKubeconfig({ name: 'c', server }, { name: 'u' })));
  const provide = kubeconfigConnection(path);
  await assert.rejects(provide(), { code: 'kube.bad-kubeconfig' });
  await write('https://a');
  assert.equal((await provide()).server, 'https://a');
  await write('https://b');
  assert.equal((await provide()).server, 'https://b');
  await writeFile(path, 'users:\n- user:\n    tokenFile: token');
  const [user] = (await loadKubeconfig(path)).users;
  assert.deepEqual(user?.token, { path: join(folder, 'token') });
  await rm(folder, { recursive: true });
});
