import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, suite, test } from 'node:test';
import { compareBytes, PreflightError, UserError } from '@slipway/base';
import { lockFolder } from '@slipway/host';
import { createOutput } from '../../output.ts';
import { runProgram } from '../program.ts';

const base = mkdtempSync(join(tmpdir(), 'slipway-workflows-'));
after(() => rmSync(base, { recursive: true, force: true }));

const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 10.20.0.11}
nodeRegistration: {ignorePreflightErrors: [all]}
bootstrapTokens: [{token: abcdef.0123456789abcdef}]
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

let count = 0;
function newRoot(): string {
  count += 1;
  const root = join(base, `root${count}`);
  mkdirSync(join(root, 'etc/kubernetes'), { recursive: true });
  writeFileSync(join(root, 'etc/hostname'), 'cp1\n');
  writeFileSync(join(root, 'etc/kubernetes/init.yaml'), configuration);
  return root;
}

function collector() {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

async function slipway(argv: readonly string[], variables: Record<string, string> = {}) {
  const [out, err] = [collector(), collector()];
  const output = createOutput(out.stream, err.stream);
  const environment = {
    variables,
    workingDirectory: base,
    homeDirectory: '/nonexistent',
    nodeBinary: process.execPath,
    entryPoint: '',
    userId: process.getuid?.() ?? 0,
    restartWith: () => undefined,
    interrupted: new AbortController().signal,
  };
  const code = await runProgram(argv, { output, environment });
  return { code, out: out.text(), err: err.text() };
}

/** Every path with what it is, but for what lies below `except`. */
function tree(root: string, except = '-'): readonly string[] {
  return (readdirSync(root, { recursive: true }) as string[])
    .filter((path) => !path.startsWith(except))
    .map((path) => {
      const stat = statSync(join(root, path));
      const content = stat.isFile() ? readFileSync(join(root, path), 'base64') : '';
      return `${path} ${stat.mode} ${stat.ino} ${stat.isFile() ? stat.mtimeMs : ''} ${content}`;
    })
    .sort(compareBytes);
}

suite('init', () => {
  test('a dry run changes nothing outside its folder, and tells files and objects', async () => {
    const root = newRoot();
    mkdirSync(join(root, 'dry'), { mode: 0o700 });
    const before = tree(root, 'dry');
    const { out } = await slipway(
      [
        'init',
        '--dry-run',
        '--upload-certs',
        '--rootfs',
        root,
        '--config',
        '/etc/kubernetes/init.yaml',
      ],
      { KUBEADM_INIT_DRYRUN_DIR: '/dry' },
    );
    assert.deepEqual(tree(root, 'dry'), before);
    assert.ok(statSync(join(root, 'dry/etc/kubernetes/pki/etcd/ca.key')).size > 0);
    for (const wanted of [
      '[dryrun] would write /etc/kubernetes/manifests/kube-apiserver.yaml (mode 0600):\napiVersion: v1',
      '[dryrun] would write /etc/kubernetes/admin.conf (mode 0600):\n***\n',
      '[dryrun] would write /etc/kubernetes/pki/ca.key (mode 0600):\n***\n',
      '[dryrun] would create Secret kube-system/kubeadm-certs:',
      '[dryrun] would create Deployment kube-system/coredns:',
      'slipway join 10.20.0.11:6443 --token abcdef.0123456789abcdef \\\n\t--discovery-token-ca-cert-hash sha256:',
    ]) {
      assert.ok(out.includes(wanted), wanted);
    }
    assert.ok(!out.includes('PRIVATE KEY'));
  });

  test('without a variable the folder is a new closed one below /etc/kubernetes/tmp', async () => {
    const root = newRoot();
    const flags = ['--rootfs', root, '--config', '/etc/kubernetes/init.yaml', '--dry-run'];
    await slipway(['init', 'phase', 'certs', 'ca', ...flags]);
    const [folder = ''] = readdirSync(join(root, 'etc/kubernetes/tmp'));
    assert.equal(statSync(join(root, 'etc/kubernetes/tmp', folder)).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(root, 'etc/kubernetes')).sort(compareBytes), [
      'init.yaml',
      'tmp',
    ]);
  });

  test('phases one by one write what one run writes, and a second time nothing', async () => {
    const root = newRoot();
    const flags = ['--rootfs', root, '--config', '/etc/kubernetes/init.yaml'];
    const steps = [
      ['certs', 'all'],
      ['kubeconfig', 'all'],
      ['etcd', 'local'],
      ['control-plane', 'all'],
      ['kubelet-start'],
    ];
    for (const words of steps) await slipway(['init', 'phase', ...words, ...flags]);
    const first = tree(root);
    for (const words of steps) await slipway(['init', 'phase', ...words, ...flags]);
    assert.deepEqual(tree(root), first);
    const paths = first.map((line) => line.split(' ', 1)[0]);
    for (const path of [
      'etc/kubernetes/manifests/etcd.yaml',
      'etc/kubernetes/super-admin.conf',
      'var/lib/kubelet/config.yaml',
      'var/lib/etcd',
    ]) {
      assert.ok(paths.includes(path), path);
    }
  });

  test('a feature gate that cannot be had is refused before anything is made', async () => {
    const root = newRoot();
    const file = join(root, 'etc/kubernetes/init.yaml');
    writeFileSync(file, `${configuration}featureGates: {RootlessControlPlane: true}\n`);
    const argv = ['init', '--config', '/etc/kubernetes/init.yaml', '--rootfs', root];
    await assert.rejects(slipway(argv), { code: 'bootstrap.manifest.rootless' });
    assert.deepEqual(readdirSync(join(root, 'etc/kubernetes')), ['init.yaml']);
  });

  test('a dry run that is refused leaves no folder', async () => {
    const root = newRoot();
    const argv = ['init', '--dry-run', '--config', '/etc/kubernetes/init.yaml', '--rootfs', root];
    await assert.rejects(slipway([...argv, '--skip-phases', 'addons']), UserError);
    assert.deepEqual(readdirSync(join(root, 'etc/kubernetes/tmp')), []);
  });

  test('what finds the machine unfit ends with exit code 2 and changes nothing', async () => {
    const root = newRoot();
    mkdirSync(join(root, 'etc/kubernetes/manifests'));
    writeFileSync(join(root, 'etc/kubernetes/manifests/etcd.yaml'), '');
    const before = tree(root);
    await assert.rejects(
      slipway([
        'init',
        '--rootfs',
        root,
        '--token',
        'abcdef.0123456789abcdef',
        '--apiserver-advertise-address',
        '10.20.0.11',
      ]),
      PreflightError,
    );
    assert.deepEqual(tree(root), before);
  });
});

suite('join', () => {
  test('a dry run without any cluster changes nothing outside its folder', async () => {
    const root = newRoot();
    mkdirSync(join(root, 'dry'), { mode: 0o700 });
    const before = tree(root, 'dry');
    const { out } = await slipway(
      ['join', '--dry-run', '--ignore-preflight-errors=all', '--rootfs', root],
      { KUBEADM_JOIN_DRYRUN_DIR: '/dry' },
    );
    assert.deepEqual(tree(root, 'dry'), before);
    assert.ok(out.includes('[dryrun] would write /etc/kubernetes/bootstrap-kubelet.conf'));
    assert.ok(out.includes('[dryrun] would write /var/lib/kubelet/kubeadm-flags.env'));
  });

  test('a dry run with an endpoint that nobody answers goes on with a made-up cluster', async () => {
    const root = newRoot();
    const { out } = await slipway([
      'join',
      '127.0.0.1:1',
      '--token=abcdef.0123456789abcdef',
      '--discovery-token-unsafe-skip-ca-verification',
      '--control-plane',
      '--apiserver-advertise-address=10.20.0.12',
      '--dry-run',
      '--ignore-preflight-errors=all',
      '--rootfs',
      root,
    ]);
    assert.ok(out.includes('[dryrun] no cluster can be reached'));
    assert.ok(out.includes('[dryrun] would add etcd member cp1 at https://10.20.0.12:2380'));
    assert.ok(out.includes('[dryrun] would merge-patch Node cp1:'));
  });
});

test('two at once on one machine: the second is refused and changes nothing, a dry run is not', async () => {
  const root = newRoot();
  const flags = ['--rootfs', root, '--config', '/etc/kubernetes/init.yaml'];
  const lock = await lockFolder(root);
  assert.ok(!('holder' in lock));
  const before = tree(root);
  for (const argv of [
    ['init', 'phase', 'certs', 'all', ...flags],
    ['certs', 'renew', 'all', ...flags],
    ['reset', '--force', '--rootfs', root],
  ])
    await assert.rejects(slipway(argv), {
      code: 'cli.bootstrap.busy',
      message: `change machine ${root}: slipway of process ${process.pid} is changing it`,
    });
  assert.deepEqual(tree(root), before);
  await slipway(['reset', '--dry-run', '--force', '--rootfs', root]);
  await lock[Symbol.asyncDispose]();
  await slipway(['init', 'phase', 'certs', 'ca', ...flags]);
});

suite('reset', () => {
  test('a dry run removes nothing, a real one what init wrote', async () => {
    const root = newRoot();
    const flags = ['--rootfs', root, '--config', '/etc/kubernetes/init.yaml'];
    for (const words of [
      ['certs', 'all'],
      ['kubeconfig', 'all'],
      ['etcd', 'local'],
    ])
      await slipway(['init', 'phase', ...words, ...flags]);
    const before = tree(root);
    const { out } = await slipway(['reset', '--dry-run', '-f', '--rootfs', root]);
    assert.deepEqual(tree(root), before);
    assert.ok(out.includes('[dryrun] would remove /etc/kubernetes/pki/ca.key'));
    await slipway(['reset', '--force', '--rootfs', root]);
    const left = readdirSync(join(root, 'etc'), { recursive: true }) as string[];
    assert.deepEqual(left.sort(compareBytes), [
      'hostname',
      'kubernetes',
      'kubernetes/init.yaml',
      'kubernetes/manifests',
      'kubernetes/pki',
    ]);
  });
});

suite('bad command lines end with exit code 3 and name the nearest', () => {
  const cases = [
    { name: 'flag', given: ['init', '--dry-rnu'], want: /--dry-run/ },
    { name: 'phase command', given: ['init', 'phase', 'cert'], want: /certs/ },
    {
      name: 'skipped phase',
      given: ['init', '--skip-phases', 'addon/corednss'],
      want: /addon\/coredns\?/,
    },
    {
      name: 'mixed with --config',
      given: ['init', '--config', '/etc/kubernetes/init.yaml', '--pod-network-cidr', '10.0.0.0/16'],
      want: /--pod-network-cidr/,
    },
    { name: 'configuration file', given: ['init', '--config', '/none.yaml'], want: /none\.yaml/ },
    {
      name: 'a phase without what it needs',
      given: ['init', 'phase', 'show-join-command', '--config', '/etc/kubernetes/init.yaml'],
      want: /bootstrap-token/,
    },
    { name: 'join without anything', given: ['join'], want: /refused/ },
  ];
  for (const { name, given, want } of cases) {
    test(name, async () => {
      const root = newRoot();
      const before = tree(root);
      await assert.rejects(
        slipway([
          ...given,
          ...(given.includes('phase') && given.length === 3 ? [] : ['--rootfs', root]),
        ]),
        (error: unknown) => error instanceof UserError && want.test(error.message),
      );
      assert.deepEqual(tree(root), before);
    });
  }
});
