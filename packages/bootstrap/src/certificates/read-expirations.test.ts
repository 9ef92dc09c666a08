import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ensureKubeconfigs } from '../kubeconfigs/ensure-kubeconfigs.ts';
import { describedSettings } from '../testing/described-settings.ts';
import { ensureCertificates } from './ensure-certificates.ts';
import { expirationObject, expirationTables } from './expiration-views.ts';
import { readExpirations } from './read-expirations.ts';
import { PkiFolder } from './testing/pki-folder.ts';

const settings = describedSettings();
const { cluster } = settings;

test('the tables are kubeadm’s', async () => {
  using folder = new PkiFolder();
  await ensureCertificates({ ...folder, settings });
  await ensureKubeconfigs({ ...folder, settings });
  rmSync(folder.path('/etc/kubernetes/super-admin.conf'));
  rmSync(folder.path('/etc/kubernetes/pki/front-proxy-ca.key'));
  await folder.clock.advance(2000);
  const expirations = await readExpirations({ ...folder, cluster });
  const [certificates, authorities] = expirationTables(expirations);
  const shown = (rows: readonly (readonly string[])[] | undefined) =>
    rows?.map(([name, , ...rest]) => [name, ...rest].join(' '));
  assert.deepEqual(shown(certificates?.rows), [
    'admin.conf 364d ca no',
    'apiserver 364d ca no',
    'apiserver-etcd-client 364d etcd-ca no',
    'apiserver-kubelet-client 364d ca no',
    'controller-manager.conf 364d ca no',
    'etcd-healthcheck-client 364d etcd-ca no',
    'etcd-peer 364d etcd-ca no',
    'etcd-server 364d etcd-ca no',
    'front-proxy-client 364d front-proxy-ca yes',
    'scheduler.conf 364d ca no',
    '!MISSING! super-admin.conf',
  ]);
  assert.deepEqual(shown(authorities?.rows), [
    'ca 9y no',
    'etcd-ca 9y no',
    'front-proxy-ca 9y yes',
  ]);
  const [, date = ''] = certificates?.rows[0] ?? [];
  assert.match(date, /^[A-Z][a-z]{2} \d{2}, \d{4} \d{2}:\d{2} UTC$/);
  assert.equal(new Date(date).getTime(), Math.floor(expirationOf(expirations) / 60_000) * 60_000);
});

function expirationOf(expirations: Awaited<ReturnType<typeof readExpirations>>): number {
  return expirations.certificates[0]?.end?.expiresAt ?? 0;
}

test('the object is kubeadm’s', async () => {
  using folder = new PkiFolder();
  await ensureCertificates({ ...folder, settings, only: ['ca', 'apiserver'] });
  const object = expirationObject(await readExpirations({ ...folder, cluster }));
  const { certificates, certificateAuthorities, ...head } = object;
  assert.deepEqual(head, {
    kind: 'CertificateExpirationInfo',
    apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
  });
  assert.ok(Array.isArray(certificates) && Array.isArray(certificateAuthorities));
  const expirationDate = new Date(folder.clock.now() + 365 * 86_400_000)
    .toISOString()
    .replace('.000Z', 'Z');
  assert.deepEqual(certificates.slice(0, 2), [
    {
      name: 'admin.conf',
      expirationDate: null,
      residualTime: 0,
      externallyManaged: false,
      missing: true,
    },
    {
      name: 'apiserver',
      expirationDate,
      residualTime: 31_536_000,
      externallyManaged: false,
      caName: 'ca',
      missing: false,
    },
  ]);
  assert.equal(certificateAuthorities.length, 3);
});

test('an external etcd has no certificates here', async () => {
  using folder = new PkiFolder();
  const external = { endpoints: ['https://e'], caFile: '/c', certFile: '/d', keyFile: '/k' };
  const { certificates, authorities } = await readExpirations({
    ...folder,
    cluster: describedSettings({ etcd: { external } }).cluster,
  });
  const names = [...certificates, ...authorities].map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => name.includes('etcd')),
    [],
  );
  assert.equal(names.length, 9);
});

test('what cannot be read is named and does not hide when the others end', async () => {
  using folder = new PkiFolder();
  await ensureCertificates({ ...folder, settings });
  await ensureKubeconfigs({ ...folder, settings });
  writeFileSync(folder.path('/etc/kubernetes/pki/apiserver.crt'), 'garbage');
  writeFileSync(folder.path('/etc/kubernetes/admin.conf'), 'garbage');
  const expirations = await readExpirations({ ...folder, cluster });
  const [table] = expirationTables(expirations);
  assert.deepEqual(
    table?.rows.filter((row) => row.length === 1),
    [['!UNREADABLE! admin.conf'], ['!UNREADABLE! apiserver']],
  );
  const problems = expirations.certificates.flatMap(({ problem }) => problem ?? []);
  assert.match(problems.join('\n'), /^\/etc\/kubernetes\/admin\.conf: .*\n.*pki\/apiserver\.crt: /);
});
