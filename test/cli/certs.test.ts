import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '@slipway/base';
import {
  applyObjects,
  ensureCertificates,
  kubeadmConfigObjects,
  kubeletConfigObjects,
  settleCluster,
} from '@slipway/bootstrap';
import { createRootFolderFiles } from '@slipway/host';
import { parseKubeconfig } from '@slipway/kube';
import { parse } from 'yaml';
import { startEmbeddedCluster } from '../kit/embedded-cluster.ts';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';

const configuration = `
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 10.20.0.11
nodeRegistration:
  name: cp1
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
certificatesDir: /etc/kubernetes/pki
`;

suite('slipway certs', () => {
  let root = '';
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'slipway-certs-'));
    mkdirSync(join(root, 'etc'));
    writeFileSync(join(root, 'etc/hostname'), 'cp1\n');
    writeFileSync(join(root, 'cluster.yaml'), configuration);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  async function slipway(...argv: string[]) {
    return await slipwayInProcess([...argv, '--rootfs', root]);
  }

  async function answer(...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await slipway(...argv);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  const file = (path: string) => readFileSync(join(root, path), 'utf8');

  test('with nothing there tells what is missing', async () => {
    const text = await answer('certs', 'check-expiration');
    assert.match(text, /^!MISSING! apiserver$/m);
    assert.match(text, /^!MISSING! etcd-ca$/m);
    const { certificates } = JSON.parse(await answer('certs', 'check-expiration', '-o', 'json'));
    assert.equal(certificates.length, 11);
    const { stdout } = await slipway('certs', 'renew', 'all');
    assert.equal(stdout.match(/^MISSING! /gm)?.length, 11);
    assert.doesNotMatch(stdout, /Restart/);
  });

  test('generate-csr writes requests where it is told, once', async () => {
    const flags = [
      '--config',
      '/cluster.yaml',
      '--cert-dir',
      '/csr/pki',
      '--kubeconfig-dir',
      '/csr',
    ];
    const text = await answer('certs', 'generate-csr', ...flags);
    assert.match(text, /^ {2}etcd\/server$/m);
    assert.match(text, /^ {2}super-admin\.conf$/m);
    for (const path of ['csr/pki/apiserver.csr', 'csr/pki/etcd/peer.key', 'csr/admin.conf.csr']) {
      assert.ok(existsSync(join(root, path)), path);
    }
    const again = await slipway('certs', 'generate-csr', ...flags);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /bootstrap\.certificates\.exists/);
  });

  test('a tree is made, seen, renewed and used for one more user', async () => {
    const config = ['--config', '/cluster.yaml'];
    await answer('init', 'phase', 'certs', 'all', ...config);
    await answer('init', 'phase', 'kubeconfig', 'all', ...config);
    const table = await answer('certs', 'check-expiration');
    assert.match(
      table,
      /^CERTIFICATE +EXPIRES +RESIDUAL TIME +CERTIFICATE AUTHORITY +EXTERNALLY MANAGED$/m,
    );
    assert.match(table, /^apiserver +[A-Z][a-z]{2} \d\d, \d{4} \d\d:\d\d UTC +364d +ca +no$/m);
    assert.match(table, /^front-proxy-ca +.* UTC +9y +no$/m);
    const yaml = parse(await answer('certs', 'check-expiration', '-o', 'yaml'));
    assert.equal(yaml.certificateAuthorities.length, 3);

    const before = file('etc/kubernetes/pki/apiserver.crt');
    const peer = file('etc/kubernetes/pki/etcd/peer.crt');
    assert.match(await answer('certs', 'renew', 'apiserver', ...config), /^apiserver renewed/);
    assert.notEqual(file('etc/kubernetes/pki/apiserver.crt'), before);
    assert.equal(file('etc/kubernetes/pki/etcd/peer.crt'), peer);
    rmSync(join(root, 'etc/kubernetes/super-admin.conf'));
    const all = await answer('certs', 'renew', 'all', ...config);
    assert.equal(all.match(/ renewed /g)?.length, 10);
    assert.match(all, /^MISSING! super-admin\.conf/m);

    const user = ['kubeconfig', 'user', '--client-name', 'alice', '--org', 'a,b', '--org', 'c'];
    const kubeconfig = parseKubeconfig(
      await answer(...user, ...config, '--validity-period', '24h'),
    );
    assert.equal(kubeconfig.currentContext, 'alice@kubernetes');
    assert.equal(kubeconfig.clusters[0]?.server, 'https://10.20.0.11:6443');
    const withToken = await answer(...user, ...config, '--token', 'sesame');
    assert.match(withToken, /token: sesame/);
  });

  test('a certificate key is 32 random bytes', async () => {
    for (const name of ['certs', 'certificates'])
      assert.match(await answer(name, 'certificate-key'), /^[0-9a-f]{64}\n$/);
  });

  test('what cannot be done is refused', async () => {
    const table = [
      {
        given: ['certs', 'renew', 'kubelet.conf'],
        want: 'bootstrap.certificates.unknown',
        code: 3,
      },
      { given: ['certs', 'renew'], want: 'cli.usage', code: 3 },
      { given: ['certs', 'check-expiration', '-o', 'xml'], want: 'cli.usage', code: 3 },
      {
        given: ['certs', 'check-expiration', '--config', '/none'],
        want: 'cli.bootstrap.input',
        code: 3,
      },
      { given: ['kubeconfig', 'user'], want: 'cli.usage', code: 3 },
      {
        given: ['kubeconfig', 'user', '--client-name', 'x', '--validity-period', 'year'],
        want: 'cli.usage',
        code: 3,
      },
    ];
    for (const { given, want, code } of table) {
      const result = await slipway(...given);
      assert.deepEqual([result.code, result.stdout], [code, ''], given.join(' '));
      assert.match(result.stderr, new RegExp(`code: ${want.replaceAll('.', '\\.')}`));
    }
  });

  test('one that cannot be renewed is told, and the others are renewed', async () => {
    writeFileSync(join(root, 'etc/kubernetes/scheduler.conf'), 'kind: Config\n');
    const { code, stdout, stderr } = await slipway('certs', 'renew', 'all');
    assert.equal(code, 1);
    assert.match(stdout, /^scheduler\.conf FAILED/m);
    assert.match(stdout, /^apiserver renewed/m);
    assert.match(stderr, /bootstrap\.certificates\.renewal/);
  });
});

test('the cluster tells where its certificates are; defaults hold where it does not answer', async () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-certs-'));
  const kubeconfig = join(root, 'admin.conf');
  await using cluster = await startEmbeddedCluster();
  const options = { clock: systemClock };
  const stored = configuration.split('---')[1]?.replace('/etc/kubernetes/pki', '/srv/pki') ?? '';
  await applyObjects(cluster.client, kubeadmConfigObjects(stored.trimStart()), options);
  const kubelet = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };
  await applyObjects(cluster.client, kubeletConfigObjects(kubelet, true), options);
  writeFileSync(kubeconfig, await cluster.kubeconfig(), { mode: 0o600 });
  const files = createRootFolderFiles({ root, userId: process.getuid?.() ?? 0 });
  const cluster37 = settleCluster(stored).value;
  assert.ok(files && cluster37);
  const init = {
    nodeRegistration: { name: 'cp1' },
    localAPIEndpoint: { advertiseAddress: '10.20.0.11', bindPort: 6443 },
  };
  await ensureCertificates({ files, settings: { init, cluster: cluster37 }, ...options });

  const check = ['certs', 'check-expiration', '--rootfs', root, '--kubeconfig', kubeconfig];
  const asked = await slipwayInProcess(check);
  assert.match(asked.stdout, /^apiserver +.* UTC +364d/m);
  assert.equal(asked.stderr, '');

  writeFileSync(kubeconfig, (await cluster.kubeconfig()).replace(/:\d+$/m, ':1'));
  const unanswered = await slipwayInProcess(check);
  assert.equal(unanswered.code, 0);
  assert.match(unanswered.stdout, /^!MISSING! apiserver$/m);
  assert.match(unanswered.stderr, /defaults hold: /);
  rmSync(root, { recursive: true });
});

test('an authority whose key is elsewhere: what it has to sign is asked for before anything is made', async () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-certs-'));
  const folder = join(root, 'etc/kubernetes');
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'cluster.yaml'), configuration);
  const phase = (name: string) => ['init', 'phase', name, 'all', '--config', '/cluster.yaml'];
  const run = (name: string) => slipwayInProcess([...phase(name), '--rootfs', root]);
  for (const name of ['certs', 'kubeconfig']) assert.equal((await run(name)).code, 0);
  rmSync(join(folder, 'pki/ca.key'));
  assert.equal((await run('certs')).code, 0);

  for (const file of ['controller-manager.conf', 'pki/front-proxy-client.crt'])
    rmSync(join(folder, file));
  rmSync(join(folder, 'pki/front-proxy-client.key'));
  const refused = await run('certs');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /controller-manager\.conf is missing/);
  assert.equal(existsSync(join(folder, 'pki/front-proxy-client.crt')), false);
  rmSync(root, { recursive: true });
});
