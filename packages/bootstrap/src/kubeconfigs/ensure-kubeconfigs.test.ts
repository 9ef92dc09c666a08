import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { Secret } from '@slipway/base';
import { connectionOf, parseKubeconfig } from '@slipway/kube';
import { chainsTo, dayMs, inspectCertificate, loadCertificateAndKey } from '@slipway/pki';
import { ensureCertificates } from '../certificates/ensure-certificates.ts';
import type { PkiSettings } from '../certificates/pki-settings.ts';
import { Crash, crashingFiles, PkiFolder } from '../certificates/testing/pki-folder.ts';
import { describedSettings } from '../testing/described-settings.ts';
import { recordingReporter } from '../workflow/testing/recording-reporter.ts';
import { ensureKubeconfigs } from './ensure-kubeconfigs.ts';
import { userKubeconfig } from './user-kubeconfig.ts';

const directory = '/etc/kubernetes';

async function withAuthority(settings: PkiSettings = describedSettings()): Promise<PkiFolder> {
  const folder = new PkiFolder();
  await ensureCertificates({ ...folder, settings, only: ['ca'] });
  return folder;
}

function read(folder: PkiFolder, file: string) {
  return parseKubeconfig(folder.text(`${directory}/${file}`));
}

// Servers, names and subjects of kubeadm 1.37.2 for the same settings.
suite('kubeconfigs', () => {
  const behindName = describedSettings(
    { controlPlaneEndpoint: 'api.slipway.test:8443', clusterName: 'prod' },
    { localAPIEndpoint: { advertiseAddress: '10.20.0.11', bindPort: 7443 } },
  );
  const table = [
    ['admin.conf', 'https://api.slipway.test:8443', 'kubernetes-admin', ['kubeadm:cluster-admins']],
    [
      'super-admin.conf',
      'https://api.slipway.test:8443',
      'kubernetes-super-admin',
      ['system:masters'],
    ],
    ['kubelet.conf', 'https://10.20.0.11:7443', 'system:node:cp1', ['system:nodes']],
    ['controller-manager.conf', 'https://10.20.0.11:7443', 'system:kube-controller-manager', []],
    ['scheduler.conf', 'https://10.20.0.11:7443', 'system:kube-scheduler', []],
  ] as const;

  test('say what kubeadm’s say', async () => {
    using folder = await withAuthority(behindName);
    await ensureKubeconfigs({ ...folder, settings: behindName });
    for (const [file, server, user, organizations] of table) {
      const kubeconfig = read(folder, file);
      assert.equal(kubeconfig.currentContext, `${user}@prod`);
      const connection = connectionOf(kubeconfig);
      assert.equal(connection.server, server, file);
      const { clientCertificate, clientKey, certificateAuthority } = connection;
      assert.ok(clientCertificate && 'pem' in clientCertificate);
      assert.ok(clientKey && 'secret' in clientKey);
      loadCertificateAndKey(clientCertificate.pem, clientKey.secret);
      assert.match(clientKey.secret.reveal(), /^-----BEGIN EC PRIVATE KEY-----/);
      const summary = inspectCertificate(clientCertificate.pem);
      assert.deepEqual([summary.commonName, summary.organizations], [user, organizations]);
      assert.deepEqual(summary.extendedUsages, ['client auth']);
      assert.ok(chainsTo(clientCertificate.pem, folder.text(`${directory}/pki/ca.crt`)));
      assert.deepEqual(certificateAuthority, { pem: folder.text(`${directory}/pki/ca.crt`) });
      assert.equal(folder.mode(`${directory}/${file}`), '600');
    }
  });

  test('put an IPv6 address into brackets', async () => {
    const settings = describedSettings(
      {},
      { localAPIEndpoint: { advertiseAddress: 'fd00::1', bindPort: 6443 } },
    );
    using folder = await withAuthority(settings);
    await ensureKubeconfigs({ ...folder, settings, only: ['admin'] });
    assert.equal(connectionOf(read(folder, 'admin.conf')).server, 'https://[fd00::1]:6443');
  });

  for (const [kubernetesVersion, host] of [
    ['v1.34.4', 'api.test'],
    ['v1.35.4', '10.20.0.11'],
  ] as const) {
    test(`of ${kubernetesVersion} without the gate lead the kubelet to ${host}`, async () => {
      const settings = describedSettings({
        kubernetesVersion,
        controlPlaneEndpoint: 'api.test',
        featureGates: { ControlPlaneKubeletLocalMode: false },
      });
      using folder = await withAuthority(settings);
      await ensureKubeconfigs({ ...folder, settings, only: ['kubelet'] });
      assert.equal(connectionOf(read(folder, 'kubelet.conf')).server, `https://${host}:6443`);
    });
  }
});

suite('a second run', () => {
  test('changes nothing', async () => {
    using folder = await withAuthority();
    await ensureKubeconfigs({ ...folder, settings: describedSettings() });
    const before = await folder.snapshot(directory);
    const outcomes = await ensureKubeconfigs({ ...folder, settings: describedSettings() });
    assert.ok(outcomes.every(({ outcome }) => outcome === 'reused'));
    assert.deepEqual(await folder.snapshot(directory), before);
  });

  test('warns of another server and of an end', async () => {
    using folder = await withAuthority();
    await ensureKubeconfigs({ ...folder, settings: describedSettings(), only: ['admin'] });
    await folder.clock.advance(400 * dayMs);
    const { reporter, lines } = recordingReporter();
    const settings = describedSettings({ controlPlaneEndpoint: 'new.test' });
    await ensureKubeconfigs({ ...folder, settings, only: ['admin'], reporter });
    const text = lines.join('\n');
    assert.match(
      text,
      /admin\.conf leads to https:\/\/10\.20\.0\.11:6443, not to https:\/\/new\.test:6443/,
    );
    assert.match(text, /expired at .*; run: slipway certs renew admin\.conf/);
  });

  test('refuses a kubeconfig of another cluster, and changes nothing', async () => {
    using folder = await withAuthority();
    using other = await withAuthority();
    await ensureKubeconfigs({ ...other, settings: describedSettings() });
    writeFileSync(
      folder.path(`${directory}/scheduler.conf`),
      other.text(`${directory}/scheduler.conf`),
    );
    writeFileSync(folder.path(`${directory}/admin.conf`), 'kind: Config\n');
    const before = await folder.snapshot(directory);
    await assert.rejects(ensureKubeconfigs({ ...folder, settings: describedSettings() }), {
      code: 'bootstrap.kubeconfig.unusable',
      message:
        /admin\.conf cannot be used: [\s\S]*scheduler\.conf does not trust the authority of this cluster; move it away, then run: slipway init phase kubeconfig scheduler/,
    });
    assert.deepEqual(await folder.snapshot(directory), before);
  });

  test('after a kill at any change completes', async () => {
    for (let step = 0, killed = true; killed; step += 1) {
      killed = false;
      using folder = await withAuthority();
      const files = crashingFiles(folder.files, step);
      const settings = describedSettings();
      await ensureKubeconfigs({ ...folder, files, settings }).catch((error: unknown) => {
        assert.ok(error instanceof Crash);
        killed = true;
      });
      const between = await folder.snapshot(directory);
      await ensureKubeconfigs({ ...folder, files: folder.openFiles(), settings });
      const final = await folder.snapshot(directory);
      assert.equal(Object.keys(final).length, 7);
      for (const [path, text] of Object.entries(between)) {
        if (!path.includes('slipway-tmp')) assert.equal(final[path], text);
      }
    }
  });
});

suite('without the key of the authority', () => {
  test('all of them have to be there', async () => {
    using folder = await withAuthority();
    await ensureKubeconfigs({ ...folder, settings: describedSettings() });
    rmSync(folder.path(`${directory}/pki/ca.key`));
    const outcomes = await ensureKubeconfigs({ ...folder, settings: describedSettings() });
    assert.ok(outcomes.every(({ outcome }) => outcome === 'reused'));
    rmSync(folder.path(`${directory}/kubelet.conf`));
    await assert.rejects(
      ensureKubeconfigs({ ...folder, settings: describedSettings() }),
      /kubelet\.conf is missing, and there is no key of the authority/,
    );
  });

  test('and without its certificate nothing can be told', async () => {
    using folder = new PkiFolder();
    await assert.rejects(ensureKubeconfigs({ ...folder, settings: describedSettings() }), {
      code: 'bootstrap.certificates.authority',
    });
  });
});

suite('a user’s kubeconfig', () => {
  const alice = { clientName: 'alice', organizations: ['team', 'ops'], validityMs: dayMs };

  test('has a certificate', async () => {
    using folder = await withAuthority();
    const text = await userKubeconfig({ ...folder, ...alice, settings: describedSettings() });
    const kubeconfig = parseKubeconfig(text);
    assert.equal(kubeconfig.currentContext, 'alice@kubernetes');
    const { clientCertificate } = connectionOf(kubeconfig);
    assert.ok(clientCertificate && 'pem' in clientCertificate);
    const summary = inspectCertificate(clientCertificate.pem);
    assert.deepEqual([summary.commonName, summary.organizations], ['alice', ['team', 'ops']]);
    assert.equal(summary.notAfter, folder.clock.now() + dayMs);
  });

  test('or a token, which needs no key', async () => {
    using folder = await withAuthority();
    rmSync(folder.path(`${directory}/pki/ca.key`));
    const settings = describedSettings();
    const token = new Secret('sesame');
    const text = await userKubeconfig({ ...folder, ...alice, settings, token });
    assert.match(text, /token: sesame/);
    await assert.rejects(userKubeconfig({ ...folder, ...alice, settings }), {
      code: 'bootstrap.certificates.authority',
    });
  });
});
