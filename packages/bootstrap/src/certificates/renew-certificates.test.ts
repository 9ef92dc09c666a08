import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { connectionOf, parseKubeconfig } from '@slipway/kube';
import {
  certificateTree,
  chainsTo,
  dayMs,
  inspectCertificate,
  loadCertificateAndKey,
} from '@slipway/pki';
import fc from 'fast-check';
import { ensureKubeconfigs } from '../kubeconfigs/ensure-kubeconfigs.ts';
import { describedSettings } from '../testing/described-settings.ts';
import { ensureCertificates } from './ensure-certificates.ts';
import { type RenewCertificatesOptions, renewCertificates } from './renew-certificates.ts';
import { Crash, crashingFiles, PkiFolder } from './testing/pki-folder.ts';

const pki = '/etc/kubernetes/pki';
const settings = describedSettings();

function renew(folder: PkiFolder, changes: Partial<RenewCertificatesOptions> = {}) {
  const { files, clock } = folder;
  return renewCertificates({ files, clock, cluster: settings.cluster, ...changes });
}

let controlPlane: Promise<Readonly<Record<string, string>>> | undefined;

async function makeControlPlane(): Promise<Readonly<Record<string, string>>> {
  using folder = new PkiFolder();
  await ensureCertificates({ ...folder, settings });
  await ensureKubeconfigs({ ...folder, settings });
  return await folder.snapshot('/etc/kubernetes');
}

/** The files of a control plane, made once for all tests. */
async function filled(): Promise<PkiFolder> {
  controlPlane ??= makeControlPlane();
  const folder = new PkiFolder();
  folder.restore(await controlPlane);
  return folder;
}

/** What renewal keeps. */
function identity(pem: string) {
  const { commonName, organizations, dnsNames, ipAddresses, extendedUsages } =
    inspectCertificate(pem);
  return { commonName, organizations, dnsNames, ipAddresses, extendedUsages };
}

function embedded(folder: PkiFolder, file: string) {
  const connection = connectionOf(parseKubeconfig(folder.text(`/etc/kubernetes/${file}`)));
  const { clientCertificate, clientKey } = connection;
  assert.ok(clientCertificate && 'pem' in clientCertificate);
  assert.ok(clientKey && 'secret' in clientKey);
  return { pem: clientCertificate.pem, key: clientKey.secret, server: connection.server };
}

suite('renewing', () => {
  test('all of them gives new keys and later ends, and keeps who they are', async () => {
    using folder = await filled();
    const before = await folder.snapshot('/etc/kubernetes');
    const admin = embedded(folder, 'admin.conf');
    await folder.clock.advance(300 * dayMs);
    const renewals = await renew(folder);
    assert.deepEqual(
      renewals.map(({ name, outcome }) => `${name} ${outcome}`),
      [
        'admin.conf renewed',
        'apiserver renewed',
        'apiserver-etcd-client renewed',
        'apiserver-kubelet-client renewed',
        'controller-manager.conf renewed',
        'etcd-healthcheck-client renewed',
        'etcd-peer renewed',
        'etcd-server renewed',
        'front-proxy-client renewed',
        'scheduler.conf renewed',
        'super-admin.conf renewed',
      ],
    );
    const leaves = certificateTree.filter(({ authority }) => authority !== undefined);
    for (const { baseName } of leaves) {
      const path = `${pki}/${baseName}.crt`;
      const [old = '', fresh] = [before[path], folder.text(path)];
      assert.deepEqual(identity(fresh), identity(old));
      loadCertificateAndKey(fresh, folder.text(`${pki}/${baseName}.key`));
      assert.notEqual(folder.text(`${pki}/${baseName}.key`), before[`${pki}/${baseName}.key`]);
      assert.equal(folder.mode(`${pki}/${baseName}.key`), '600');
      assert.equal(inspectCertificate(fresh).notAfter, folder.clock.now() + 365 * dayMs);
    }
    const renewed = embedded(folder, 'admin.conf');
    assert.deepEqual(identity(renewed.pem), identity(admin.pem));
    assert.equal(renewed.server, admin.server);
    loadCertificateAndKey(renewed.pem, renewed.key);
    assert.ok(chainsTo(renewed.pem, folder.text(`${pki}/ca.crt`)));
    const kept = ['ca.crt', 'ca.key', 'sa.key', 'sa.pub', 'etcd/ca.crt', 'front-proxy-ca.key'];
    for (const file of kept) assert.equal(folder.text(`${pki}/${file}`), before[`${pki}/${file}`]);
    assert.equal(
      folder.text('/etc/kubernetes/kubelet.conf'),
      before['/etc/kubernetes/kubelet.conf'],
    );
  });

  test('what is missing is told, and the others are renewed', async () => {
    using folder = await filled();
    rmSync(folder.path('/etc/kubernetes/super-admin.conf'));
    rmSync(folder.path(`${pki}/apiserver.crt`));
    const renewals = await renew(folder);
    const missing = renewals.filter(({ outcome }) => outcome === 'missing');
    assert.deepEqual(
      missing.map(({ name }) => name),
      ['apiserver', 'super-admin.conf'],
    );
    assert.equal(renewals.filter(({ outcome }) => outcome === 'renewed').length, 9);
  });

  test('what an external authority signs is left alone', async () => {
    using folder = await filled();
    rmSync(folder.path(`${pki}/ca.key`));
    const before = await folder.snapshot('/etc/kubernetes');
    const renewals = await renew(folder, { only: ['apiserver', 'admin.conf'] });
    assert.deepEqual(
      renewals.map(({ outcome }) => outcome),
      ['external', 'external'],
    );
    assert.deepEqual(await folder.snapshot('/etc/kubernetes'), before);
  });

  test('one that fails does not keep the others from it', async () => {
    using folder = await filled();
    writeFileSync(folder.path('/etc/kubernetes/scheduler.conf'), 'clusters: []\n');
    rmSync(folder.path(`${pki}/front-proxy-ca.crt`));
    const failed = (await renew(folder)).filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual(
      failed.map(({ name, reason }) => `${name}: ${reason}`),
      [
        `front-proxy-client: load authority: there is no ${pki}/front-proxy-ca.crt`,
        'scheduler.conf: read kubeconfig /etc/kubernetes/scheduler.conf: contexts has no ""',
      ],
    );
  });

  test('an unknown name is refused before anything is changed', async () => {
    using folder = await filled();
    const before = await folder.snapshot(pki);
    await assert.rejects(renew(folder, { only: ['apiserver', 'kubelet.conf'] }), {
      code: 'bootstrap.certificates.unknown',
      message: /renew kubelet\.conf: it is not one of admin\.conf, apiserver/,
    });
    assert.deepEqual(await folder.snapshot(pki), before);
  });

  test('a kubeconfig keeps what slipway knows nothing of', async () => {
    using folder = await filled();
    const path = '/etc/kubernetes/admin.conf';
    const extra = '- context:\n    cluster: other\n    user: me\n  name: mine # of the admin\n';
    const text = folder.text(path).replace('contexts:\n', `contexts:\n${extra}`);
    writeFileSync(folder.path(path), `${text}extensions:\n- name: x\n  extension:\n    a: 1\n`);
    await renew(folder, { only: ['admin.conf'] });
    const renewed = folder.text(path);
    assert.ok(renewed.includes('name: mine # of the admin'));
    assert.match(renewed, /extension:\n +a: 1\n/);
    assert.equal(folder.mode(path), '600');
    assert.notEqual(embedded(folder, 'admin.conf').pem, '');
  });

  test('other settings of keys and periods are taken up', async () => {
    using folder = await filled();
    const { cluster } = describedSettings({
      encryptionAlgorithm: 'ECDSA-P384',
      certificateValidityPeriod: '24h',
    });
    await renew(folder, { only: ['apiserver'], cluster });
    const { notAfter } = inspectCertificate(folder.text(`${pki}/apiserver.crt`));
    assert.equal(notAfter, folder.clock.now() + dayMs);
    const { key } = loadCertificateAndKey(
      folder.text(`${pki}/apiserver.crt`),
      folder.text(`${pki}/apiserver.key`),
    );
    assert.equal(key.asymmetricKeyDetails?.namedCurve, 'secp384r1');
  });
});

test('whatever names a certificate has, renewal keeps them', async () => {
  using folder = await filled();
  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);
  const san = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    label,
    label.map((name) => `*.${name}.test`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(san, { maxLength: 6 }), async (certSANs) => {
      for (const end of ['crt', 'key']) rmSync(folder.path(`${pki}/apiserver.${end}`));
      const component = { extraArgs: [], extraVolumes: [], extraEnvs: [] };
      await ensureCertificates({
        ...folder,
        settings: describedSettings({ apiServer: { ...component, certSANs } }),
        only: ['apiserver'],
      });
      const before = identity(folder.text(`${pki}/apiserver.crt`));
      await renew(folder, { only: ['apiserver'] });
      assert.deepEqual(identity(folder.text(`${pki}/apiserver.crt`)), before);
    }),
    { numRuns: 20 },
  );
});

suite('a renewal that does not come to its end', () => {
  test('puts the old key back where the certificate cannot be written', async () => {
    using folder = await filled();
    const before = await folder.snapshot(pki);
    const files: typeof folder.files = new Proxy(folder.files, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
        return async (staged: Parameters<typeof folder.files.commit>[0]) => {
          if (staged.path.endsWith('.crt')) throw new Error('no space left');
          await target.commit(staged);
        };
      },
    });
    const [renewal] = await renew(folder, { files, only: ['apiserver'] });
    assert.deepEqual([renewal?.outcome, renewal?.reason], ['failed', 'no space left']);
    assert.deepEqual(await folder.snapshot(pki), before);
  });

  test('is mended by the next one, killed at whichever change', async () => {
    for (let step = 0; step < 8; step += 1) {
      using folder = await filled();
      const files = crashingFiles(folder.files, step);
      await renew(folder, { files, only: ['apiserver'] }).catch((error: unknown) => {
        assert.ok(error instanceof Crash);
      });
      const [renewal] = await renew(folder, { files: folder.openFiles(), only: ['apiserver'] });
      assert.equal(renewal?.outcome, 'renewed', String(step));
      const outcomes = await ensureCertificates({ ...folder, files: folder.openFiles(), settings });
      assert.ok(outcomes.every(({ outcome }) => outcome === 'reused'));
      const left = Object.keys(await folder.snapshot(pki)).filter((path) => path.includes('tmp'));
      assert.deepEqual(left, []);
    }
  });
});
