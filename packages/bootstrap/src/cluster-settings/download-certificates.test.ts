import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Secret } from '@slipway/base';
import { createSimulatedHost, type HostFiles } from '@slipway/host';
import { createKubeClient, type KubeClient } from '@slipway/kube';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  encodePublicKey,
  formatBootstrapToken,
  generateBootstrapToken,
} from '@slipway/pki';
import { encryptCertificates } from '../certificates/upload-encryption.ts';
import { type JoinableCluster, startJoinableCluster } from '../testing/joinable-cluster.ts';
import { downloadCertificates } from './download-certificates.ts';
import { uploadedFiles } from './uploaded-files.ts';

const key = new Secret('0123456789abcdef'.repeat(4));
const token = generateBootstrapToken();
const certificatesDir = '/etc/kubernetes/pki';
const local = { dataDir: '', extraArgs: [], extraEnvs: [], serverCertSANs: [], peerCertSANs: [] };
const stacked = { certificatesDir, etcd: { local } };
const external = {
  certificatesDir,
  etcd: {
    external: { endpoints: [], caFile: '/e/ca.crt', certFile: '/e/c.crt', keyFile: '/e/c.key' },
  },
};
const path = '/api/v1/namespaces/kube-system/secrets/kubeadm-certs';

suite('downloading certificates', () => {
  let folder = '';
  let hosts = 0;
  let cluster: JoinableCluster;
  let client: KubeClient;
  let plain: Readonly<Record<'crt' | 'key' | 'pub', Uint8Array>>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-download-'));
    cluster = await startJoinableCluster(token);
    client = createKubeClient({
      server: cluster.endpoint,
      certificateAuthority: { pem: cluster.authorityPem },
      token: { secret: formatBootstrapToken(token) },
    });
    const validity = { now: Date.now(), validityMs: dayMs };
    const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
    plain = {
      crt: Buffer.from(authority.certificatePem),
      key: Buffer.from(encodePrivateKey(authority.key).reveal()),
      pub: Buffer.from(encodePublicKey(authority.key)),
    };
  });
  after(async () => {
    client.close();
    await cluster[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function newFiles(): Promise<HostFiles> {
    hosts += 1;
    const directory = join(folder, `host-${hosts}`);
    const host = await createSimulatedHost({ directory, name: 'w', onReboot: () => undefined });
    return host.files;
  }

  function upload(settings: Parameters<typeof uploadedFiles>[0], change: object = {}): void {
    const content = Object.fromEntries(
      uploadedFiles(settings).map(({ name }) => [
        name,
        plain[name.slice(-3) as keyof typeof plain],
      ]),
    );
    const data = { ...encryptCertificates(content, key), ...change };
    cluster.objects.set(path, { metadata: { name: 'kubeadm-certs' }, data } as object);
  }

  for (const [name, settings] of [
    ['stacked etcd', stacked],
    ['external etcd', external],
  ] as const) {
    test(`every file in its place with its mode: ${name}; again, none`, async () => {
      upload(settings);
      const files = await newFiles();
      const request = { client, files, key, cluster: settings };
      const written = await downloadCertificates(request);
      assert.deepEqual(
        written,
        uploadedFiles(settings).map((file) => file.path),
      );
      for (const one of written) {
        const want = one.endsWith('.key') ? 0o600 : 0o644;
        assert.equal((await files.stat(one))?.mode, want, one);
        const content = plain[one.slice(-3) as keyof typeof plain];
        assert.ok(Buffer.from(await files.read(one)).equals(content), one);
      }
      assert.deepEqual(await downloadCertificates(request), []);
    });
  }

  test('what the other control plane did not have is left out', async () => {
    upload(stacked, { 'ca.key': '', 'etcd-ca.key': '' });
    const files = await newFiles();
    const written = await downloadCertificates({ client, files, key, cluster: stacked });
    assert.equal(written.length, 6);
    assert.ok(!written.includes('/etc/kubernetes/pki/ca.key'));
  });

  const otherKey = new Secret('f'.repeat(64));
  const refused = [
    {
      name: 'no Secret',
      prepare: () => cluster.objects.delete(path),
      change: {},
      want: 'bootstrap.uploaded-certificates.missing',
    },
    {
      name: 'another key',
      prepare: () => upload(stacked),
      change: { key: otherKey },
      want: 'bootstrap.uploaded-certificates.undecipherable',
    },
    {
      name: 'half a key',
      prepare: () => upload(stacked),
      change: { key: new Secret('00') },
      want: 'bootstrap.certificate-key.malformed',
    },
    {
      name: 'one of them is lacking',
      prepare: () => upload(external),
      change: {},
      want: 'bootstrap.uploaded-certificates.incomplete',
    },
    {
      name: 'a certificate in place of a key',
      prepare: () => upload(stacked, encryptCertificates({ 'etcd-ca.key': plain.crt }, key)),
      change: {},
      want: 'bootstrap.uploaded-certificates.incomplete',
    },
  ];
  for (const { name, prepare, change, want } of refused) {
    test(`nothing is written: ${name}`, async () => {
      prepare();
      const files = await newFiles();
      const request = { client, files, key, cluster: stacked, ...change };
      await assert.rejects(downloadCertificates(request), { code: want });
      assert.deepEqual(await files.list(certificatesDir), []);
    });
  }

  test('a key of another cluster is not overwritten, and nothing else is written', async () => {
    upload(stacked);
    const files = await newFiles();
    const attributes = { mode: 0o700, uid: 0, gid: 0 };
    await files.makeDirectory(certificatesDir, attributes);
    await files.write(`${certificatesDir}/sa.key`, Buffer.from('precious'), attributes);
    await assert.rejects(downloadCertificates({ client, files, key, cluster: stacked }), {
      code: 'bootstrap.uploaded-certificates.incomplete',
      message: /sa\.key exists with another content/,
    });
    assert.deepEqual(await files.list(certificatesDir), ['sa.key']);
  });
});
