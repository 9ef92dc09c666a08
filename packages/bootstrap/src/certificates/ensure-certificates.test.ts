import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import { certificateTree, dayMs, inspectCertificate } from '@slipway/pki';
import { describedSettings } from '../testing/described-settings.ts';
import { type EnsureCertificatesOptions, ensureCertificates } from './ensure-certificates.ts';
import { Crash, crashingFiles, PkiFolder } from './testing/pki-folder.ts';

const pki = '/etc/kubernetes/pki';

type Changes = Partial<EnsureCertificatesOptions>;

function ensure(folder: PkiFolder, changes: Changes = {}) {
  const { files, clock } = folder;
  return ensureCertificates({ files, clock, settings: describedSettings(), ...changes });
}

async function filled(changes: Changes = {}): Promise<PkiFolder> {
  const folder = new PkiFolder();
  await ensure(folder, changes);
  return folder;
}

let wholeTree: Promise<Readonly<Record<string, string>>> | undefined;

/** The tree that an empty folder gets, made once for all tests that start from it. */
async function whole(): Promise<PkiFolder> {
  wholeTree ??= filled().then(async (made) => {
    using folder = made;
    return await folder.snapshot(pki);
  });
  const folder = new PkiFolder();
  folder.restore(await wholeTree);
  return folder;
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

suite('an empty folder', () => {
  test('gets every file with its mode', async () => {
    using folder = await filled();
    const files = Object.keys(await folder.snapshot(pki)).map((path) => path.slice(pki.length + 1));
    const pairs = certificateTree.flatMap(({ baseName }) => [`${baseName}.crt`, `${baseName}.key`]);
    assert.deepEqual(new Set(files), new Set([...pairs, 'sa.key', 'sa.pub']));
    for (const file of files) {
      assert.equal(folder.mode(`${pki}/${file}`), file.endsWith('.crt') ? '644' : '600', file);
    }
  });

  test('gets keys in the form of their kind', async () => {
    for (const [encryptionAlgorithm, label] of [
      ['ECDSA-P384', 'EC PRIVATE KEY'],
      ['RSA-2048', 'RSA PRIVATE KEY'],
    ] as const) {
      using folder = await filled({
        settings: describedSettings({ encryptionAlgorithm }),
        only: ['front-proxy-ca', 'sa'],
      });
      for (const name of ['front-proxy-ca', 'sa']) {
        assert.match(folder.text(`${pki}/${name}.key`), new RegExp(`^-----BEGIN ${label}-----`));
      }
    }
  });

  test('gets certificates that are valid for as long as the configuration says, from 5 minutes ago', async () => {
    using folder = await filled({
      settings: describedSettings({
        certificateValidityPeriod: '100h',
        caCertificateValidityPeriod: '1000h',
      }),
    });
    const period = (name: string) => {
      const { notBefore, notAfter } = inspectCertificate(folder.text(`${pki}/${name}.crt`));
      return [folder.clock.now() - notBefore, notAfter - folder.clock.now()];
    };
    assert.deepEqual(period('apiserver'), [300_000, 100 * 3_600_000]);
    assert.deepEqual(period('ca'), [300_000, 1000 * 3_600_000]);
  });

  test('openssl verifies all of it strictly', {
    skip: hasOpenssl() ? false : 'openssl is not on the PATH',
  }, async () => {
    using folder = await filled({
      settings: describedSettings({ encryptionAlgorithm: 'RSA-2048' }),
    });
    for (const { baseName, authority, usages } of certificateTree) {
      const issuer = certificateTree.find(({ name }) => name === authority)?.baseName ?? baseName;
      const trust = ['-CAfile', folder.path(`${pki}/${issuer}.crt`)];
      const purposes = usages.flatMap((usage) => ['-purpose', `ssl${usage}`]);
      const leaf = folder.path(`${pki}/${baseName}.crt`);
      const flags = ['verify', '-x509_strict', ...purposes, ...trust, leaf];
      assert.match(execFileSync('openssl', flags, { encoding: 'utf8' }), /: OK$/m, baseName);
    }
  });

  test('with an external etcd gets nothing of etcd', async () => {
    const external = { endpoints: ['https://e'], caFile: '/c', certFile: '/d', keyFile: '/k' };
    using folder = await filled({ settings: describedSettings({ etcd: { external } }) });
    const files = Object.keys(await folder.snapshot(pki));
    assert.deepEqual(
      files.filter((path) => path.includes('etcd')),
      [],
    );
    assert.deepEqual(
      await ensure(folder, {
        only: ['etcd-ca'],
        settings: describedSettings({ etcd: { external } }),
      }),
      [],
    );
  });
});

suite('a folder that is right', () => {
  test('stays as it is', async () => {
    using folder = await whole();
    const before = await folder.snapshot(pki);
    const outcomes = await ensure(folder);
    assert.deepEqual([...new Set(outcomes.map(({ outcome }) => outcome))], ['reused']);
    assert.deepEqual(await folder.snapshot(pki), before);
  });

  test('lacking one certificate gets that one', async () => {
    using folder = await whole();
    const before = await folder.snapshot(pki);
    for (const end of ['crt', 'key']) rmSync(folder.path(`${pki}/etcd/peer.${end}`));
    const outcomes = await ensure(folder);
    const made = outcomes.filter(({ outcome }) => outcome === 'made');
    assert.deepEqual(made, [{ name: 'etcd-peer', outcome: 'made' }]);
    const changed = Object.entries(await folder.snapshot(pki)).filter(
      ([path, text]) => before[path] !== text,
    );
    assert.deepEqual(
      changed.map(([path]) => path),
      [`${pki}/etcd/peer.crt`, `${pki}/etcd/peer.key`],
    );
  });

  test('whose sa.pub is gone gets the one of its sa.key', async () => {
    using folder = await whole();
    const before = await folder.snapshot(pki);
    rmSync(folder.path(`${pki}/sa.pub`));
    await ensure(folder);
    assert.deepEqual(await folder.snapshot(pki), before);
  });

  test('without the keys of its authorities is external, and complete', async () => {
    using folder = await whole();
    for (const name of ['ca', 'front-proxy-ca', 'etcd/ca']) {
      rmSync(folder.path(`${pki}/${name}.key`));
    }
    const outcomes = await ensure(folder);
    const external = outcomes.filter(({ outcome }) => outcome === 'external');
    assert.deepEqual(
      external.map(({ name }) => name),
      ['ca', 'front-proxy-ca', 'etcd-ca'],
    );
  });
});

suite('what is there and wrong is refused, and nothing is changed', () => {
  const table: readonly {
    readonly name: string;
    readonly damage?: (folder: PkiFolder) => void | Promise<void>;
    readonly given?: (folder: PkiFolder) => Changes;
    readonly want: RegExp;
  }[] = [
    {
      name: 'a public address that the certificate does not name',
      given: () => ({
        settings: describedSettings({
          apiServer: { extraArgs: [], extraVolumes: [], extraEnvs: [], certSANs: ['203.0.113.7'] },
        }),
      }),
      want: /apiserver\.crt does not name 203\.0\.113\.7 \(apiServer\.certSANs\); move .* away, then run: slipway init phase certs apiserver/,
    },
    {
      name: 'another service subnet',
      given: () => ({
        settings: describedSettings({
          networking: { serviceSubnet: '10.32.0.0/16', podSubnet: '', dnsDomain: 'cluster.local' },
        }),
      }),
      want: /does not name 10\.32\.0\.1 \(networking\.serviceSubnet\)/,
    },
    {
      name: 'an endpoint that came later',
      given: () => ({
        settings: describedSettings({ controlPlaneEndpoint: 'api.example.test:8443' }),
      }),
      want: /does not name api\.example\.test \(controlPlaneEndpoint\)/,
    },
    {
      name: 'an expired certificate',
      damage: (folder) => folder.clock.advance(366 * dayMs),
      want: /apiserver\.crt expired at .*; run: slipway certs renew apiserver/,
    },
    {
      name: 'an expired authority',
      damage: (folder) => folder.clock.advance(3651 * dayMs),
      want: /ca\.crt expired at .*; replace authority ca/,
    },
    {
      name: 'a clock that is behind',
      given: (folder) => ({ clock: new VirtualClock(folder.clock.now() - 3_600_000) }),
      want: /ca\.crt is valid from .* on, and the clock says/,
    },
    {
      name: 'the key of another certificate',
      damage: (folder) =>
        writeFileSync(
          folder.path(`${pki}/apiserver.key`),
          folder.text(`${pki}/front-proxy-client.key`),
        ),
      want: /apiserver\.key cannot be used: .*another certificate; run: slipway certs renew apiserver/,
    },
    {
      name: 'a certificate of another authority',
      damage: (folder) => {
        for (const end of ['crt', 'key']) {
          const other = folder.text(`${pki}/front-proxy-client.${end}`);
          writeFileSync(folder.path(`${pki}/apiserver-kubelet-client.${end}`), other);
        }
      },
      want: /apiserver-kubelet-client\.crt is not signed by authority ca/,
    },
    {
      name: 'a certificate without its key',
      damage: (folder) => rmSync(folder.path(`${pki}/apiserver.key`)),
      want: /apiserver\.crt is there without .*apiserver\.key/,
    },
    {
      name: 'a leaf in the place of an authority',
      damage: (folder) =>
        writeFileSync(folder.path(`${pki}/ca.crt`), folder.text(`${pki}/apiserver.crt`)),
      want: /ca\.crt is not an authority/,
    },
    {
      name: 'what is no certificate',
      damage: (folder) => writeFileSync(folder.path(`${pki}/apiserver.crt`), 'nonsense'),
      want: /apiserver\.crt cannot be used: .*not a PEM certificate/,
    },
    {
      name: 'an authority that is gone while its certificates are there',
      damage: (folder) => {
        for (const end of ['crt', 'key']) rmSync(folder.path(`${pki}/ca.${end}`));
      },
      want: /apiserver\.crt is not signed by authority ca/,
    },
    {
      name: 'a leaf that is missing below an external authority',
      damage: (folder) => {
        for (const file of ['ca.key', 'apiserver.crt', 'apiserver.key']) {
          rmSync(folder.path(`${pki}/${file}`));
        }
      },
      want: /apiserver\.crt is missing, and the key of ca is not here; .*generate-csr/,
    },
    {
      name: 'a public key of another key pair',
      damage: (folder) => {
        const { publicKey } = new X509Certificate(folder.text(`${pki}/apiserver.crt`));
        const other = publicKey.export({ format: 'pem', type: 'spki' });
        writeFileSync(folder.path(`${pki}/sa.pub`), other);
      },
      want: /sa\.pub does not belong to .*sa\.key/,
    },
    {
      name: 'a public key alone',
      damage: (folder) => rmSync(folder.path(`${pki}/sa.key`)),
      want: /sa\.pub is there without its key/,
    },
  ];
  for (const { name, damage, given, want } of table) {
    test(name, async () => {
      using folder = await whole();
      await damage?.(folder);
      const before = await folder.snapshot(pki);
      await assert.rejects(ensure(folder, given?.(folder)), {
        code: 'bootstrap.certificates.unusable',
        message: want,
      });
      assert.deepEqual(await folder.snapshot(pki), before);
    });
  }

  test('all of it at once', async () => {
    using folder = await whole();
    writeFileSync(folder.path(`${pki}/etcd/ca.crt`), 'nonsense');
    rmSync(folder.path(`${pki}/apiserver.key`));
    await assert.rejects(ensure(folder), /- .*apiserver\.crt.*\n- .*etcd\/ca\.crt/);
  });
});

suite('a further control plane', () => {
  test('makes its own certificates below the authorities that it was given', async () => {
    using first = await whole();
    using second = new PkiFolder();
    for (const [path, text] of Object.entries(await first.snapshot(pki))) {
      if (!/\/(ca|front-proxy-ca|sa)\.(crt|key|pub)$/.test(path)) continue;
      await second.files.makeDirectory(`${pki}/etcd`, { mode: 0o755, uid: 0, gid: 0 });
      writeFileSync(second.path(path), text);
    }
    const outcomes = await ensure(second, {
      authorities: 'require',
      settings: describedSettings(
        {},
        { localAPIEndpoint: { advertiseAddress: '10.20.0.12', bindPort: 6443 } },
      ),
    });
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'made').length, 7);
    const { ipAddresses } = inspectCertificate(second.text(`${pki}/apiserver.crt`));
    assert.deepEqual(ipAddresses, ['10.96.0.1', '10.20.0.12']);
    assert.equal(second.text(`${pki}/ca.key`), first.text(`${pki}/ca.key`));
  });

  test('makes no authority of its own', async () => {
    using folder = new PkiFolder();
    await assert.rejects(ensure(folder, { authorities: 'require' }), (error: Error) => {
      for (const name of ['ca.crt', 'front-proxy-ca.crt', 'etcd/ca.crt', 'sa.key']) {
        assert.ok(error.message.includes(`${pki}/${name} is missing; copy it`), name);
      }
      return true;
    });
    assert.deepEqual(await folder.snapshot(pki), {});
  });
});

test('one certificate needs its authority', async () => {
  using folder = new PkiFolder();
  await assert.rejects(
    ensure(folder, { only: ['apiserver'] }),
    /ca\.crt is missing; run: slipway init phase certs ca/,
  );
  await ensure(folder, { only: ['ca'] });
  const outcomes = await ensure(folder, { only: ['apiserver'] });
  assert.deepEqual(outcomes, [{ name: 'apiserver', outcome: 'made' }]);
});

test('a kill at any change leaves what a second run completes', async () => {
  const only = ['ca', 'apiserver', 'etcd-ca', 'etcd-server', 'sa'] as const;
  let step = 0;
  let killed = true;
  for (; killed; step += 1) {
    using folder = new PkiFolder();
    killed = false;
    try {
      await ensure(folder, { only, files: crashingFiles(folder.files, step) });
    } catch (error) {
      assert.ok(error instanceof Crash, String(error));
      killed = true;
    }
    const between = await folder.snapshot(pki);
    for (const path of Object.keys(between)) {
      if (path.endsWith('.crt'))
        assert.ok(between[path.replace(/crt$/, 'key')], `${step}: ${path}`);
    }
    await ensure(folder, { only, files: folder.openFiles() });
    const final = await folder.snapshot(pki);
    assert.equal(Object.keys(final).length, 10, `${step}: ${Object.keys(final).join(' ')}`);
    const isOurs = (path: string) => /\.(crt|key|pub)$/.test(path);
    for (const [path, text] of Object.entries(between)) {
      if (isOurs(path)) assert.equal(final[path], text, `${step}: ${path} was right and changed`);
    }
    const outcomes = await ensure(folder, { only });
    assert.ok(outcomes.every(({ outcome }) => outcome === 'reused'));
  }
  assert.ok(step > 25, `only ${step} changes were seen`);
});
