import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { compareBytes, silentLogger, VirtualClock } from '@slipway/base';
import { createRootFolderFiles, type HostFiles, type RunProgram } from '@slipway/host';
import type { ResetConfiguration } from '../config/configuration.ts';
import type { EtcdClient } from '../etcd/etcd-client.ts';
import { createDryRunFiles } from '../workflow/dry-run-files.ts';
import type { Ground } from '../workflow/ground.ts';
import { runWorkflow } from '../workflow/runner.ts';
import { recordingReporter } from '../workflow/testing/recording-reporter.ts';
import type { ResetData } from './data.ts';
import { resetPhases } from './phases.ts';
import { mountsBelow } from './unmount.ts';

const base = mkdtempSync(join(tmpdir(), 'slipway-reset-'));
after(() => rmSync(base, { recursive: true, force: true }));

const written = [
  'etc/kubernetes/admin.conf',
  'etc/kubernetes/kubelet.conf',
  'etc/kubernetes/manifests/etcd.yaml',
  'etc/kubernetes/manifests/kube-apiserver.yaml',
  'etc/kubernetes/pki/ca.crt',
  'etc/kubernetes/pki/etcd/ca.key',
  'var/lib/kubelet/config.yaml',
  'var/lib/kubelet/pki/kubelet.crt',
  'srv/etcd/member/wal',
];
const foreign = ['etc/kubernetes/audit-policy.yaml', 'etc/cni/net.d/10-net.conf', 'srv/keep'];

const etcdManifest = `spec:
  containers:
  - command: [etcd, --initial-advertise-peer-urls=https://10.0.0.2:2380]
  volumes:
  - name: etcd-data
    hostPath: {path: /srv/etcd}
`;

let count = 0;
function machine(): { readonly root: string; readonly files: HostFiles } {
  count += 1;
  const root = join(base, `machine${count}`);
  for (const path of [...written, ...foreign]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), path.endsWith('etcd.yaml') ? etcdManifest : 'x');
  }
  symlinkSync('/srv/keep', join(root, 'var/lib/kubelet/link'));
  const files = createRootFolderFiles({ root, userId: 1 });
  assert.ok(files !== undefined);
  return { root, files };
}

const standard: ResetConfiguration = {
  cleanupTmpDir: false,
  certificatesDir: '/etc/kubernetes/pki',
  criSocket: 'unix:///run/containerd/containerd.sock',
  dryRun: false,
  force: true,
  ignorePreflightErrors: [],
  skipPhases: [],
  unmountFlags: [],
  timeouts: {
    controlPlaneComponentHealthCheck: '4m0s',
    kubeletHealthCheck: '4m0s',
    kubernetesAPICall: '1m0s',
    etcdAPICall: '2m0s',
    tlsBootstrap: '5m0s',
    discovery: '5m0s',
    upgradeManifests: '5m0s',
  },
};

function dataFor(files: HostFiles, extra: Partial<ResetData> = {}, run?: RunProgram) {
  const { reporter, lines } = recordingReporter();
  const clock = new VirtualClock();
  const ground = { files, clock, logger: silentLogger, variables: {}, ...(run ? { run } : {}) };
  const data: ResetData = {
    reset: standard,
    ground: { ...ground, machine: { findProgram: async () => undefined } } as unknown as Ground,
    reporter,
    isDryRun: false,
    confirm: async () => false,
    preflight: async () => undefined,
    mountPoints: async () => [],
    ...extra,
  };
  return { data, lines };
}

function left(root: string): readonly string[] {
  return (readdirSync(root, { recursive: true }) as string[]).sort(compareBytes);
}

function reset(data: ResetData, skip: readonly string[] = []): Promise<void> {
  return runWorkflow({ phases: resetPhases, selection: { skip }, data, reporter: data.reporter });
}

suite('reset', () => {
  test('deletes what was written, keeps directories and what is of others', async () => {
    const { root, files } = machine();
    await reset(dataFor(files).data);
    const gone = new Set([
      ...written,
      'etc/kubernetes/pki/etcd',
      'var/lib/kubelet/pki',
      'var/lib/kubelet/link',
      'srv/etcd/member',
    ]);
    assert.deepEqual(
      left(root),
      left(machine().root).filter((path) => !gone.has(path)),
    );
  });

  test('a second reset finds nothing and succeeds', async () => {
    const { root, files } = machine();
    await reset(dataFor(files).data);
    const first = left(root);
    await reset(dataFor(files).data);
    assert.deepEqual(left(root), first);
  });

  test('a dry run tells each file and deletes none', async () => {
    const { root, files } = machine();
    const before = left(root);
    const overlay = createDryRunFiles(files, '/etc/kubernetes/tmp/x');
    const { data, lines } = dataFor(overlay, { isDryRun: true });
    await reset({ ...data, reset: { ...standard, force: false } });
    assert.deepEqual(left(root), before);
    const removed = overlay.takeChanges().map(({ path }) => path);
    assert.ok(removed.includes('/etc/kubernetes/admin.conf'));
    assert.ok(removed.includes('/var/lib/kubelet/pki/kubelet.crt'));
    assert.ok(lines.includes('[dryrun] would delete the contents of /srv/etcd'));
    assert.ok(lines.includes('[dryrun] would stop the kubelet'));
  });

  test('not confirmed, nothing is done', async () => {
    const { root, files } = machine();
    const before = left(root);
    const { data } = dataFor(files, { reset: { ...standard, force: false } });
    await assert.rejects(reset(data), { code: 'bootstrap.reset.unconfirmed' });
    assert.deepEqual(left(root), before);
  });

  test('a mount that stays keeps the kubelet directory and is named', async () => {
    const { root, files } = machine();
    const before = left(root);
    const asked: string[][] = [];
    const run: RunProgram = async (argv) => {
      asked.push([...argv]);
      return { exitCode: 32, signal: undefined, stdout: '', stderr: 'target is busy' };
    };
    const points = ['/var/lib/kubelet', '/var/lib/kubelet/pods/a', '/var/lib/kubelet/pods/a/b'];
    const lazily: ResetConfiguration = { ...standard, unmountFlags: ['MNT_DETACH'] };
    const { data } = dataFor(files, { mountPoints: async () => points, reset: lazily }, run);
    await assert.rejects(reset(data, ['remove-etcd-member']), (error: Error) =>
      /\/var\/lib\/kubelet\/pods\/a\/b, .*target is busy/.test(error.message),
    );
    assert.deepEqual(asked, [
      ['umount', '--lazy', '--', '/var/lib/kubelet/pods/a/b'],
      ['umount', '--lazy', '--', '/var/lib/kubelet/pods/a'],
    ]);
    assert.deepEqual(left(root), before);
  });

  test('the member is known by its peer address and removed unless it is the last', async () => {
    const own = { id: '2', name: 'cp2', peerUrls: ['https://10.0.0.2:2380'] };
    const other = { id: '1', name: 'cp1', peerUrls: ['https://10.0.0.1:2380'] };
    for (const members of [[other, own], [own]]) {
      const { files } = machine();
      const removed: string[] = [];
      const etcd = {
        members: async () =>
          members.map((member) => ({ ...member, clientUrls: [], isLearner: false })),
        remove: async (id: string) => void removed.push(id),
      } as unknown as EtcdClient;
      const run: RunProgram = () => assert.fail('no program is needed');
      const { data, lines } = dataFor(files, { openEtcd: async () => etcd }, run);
      await reset(data, ['cleanup-node']);
      assert.deepEqual(removed, members.length === 1 ? [] : ['2']);
      assert.ok(lines.includes('[reset] deleted the contents of /srv/etcd'));
    }
  });

  test('when etcd cannot be asked, the command that removes the member is told', async () => {
    const { files } = machine();
    const run: RunProgram = () => assert.fail('no program is needed');
    const { data, lines } = dataFor(files, {}, run);
    await reset(data, ['cleanup-node']);
    assert.ok(lines.some((line) => /^! .*no \/etc\/kubernetes\/pki\/etcd.*etcdctl/.test(line)));
    assert.ok(lines.includes('[reset] deleted the contents of /srv/etcd'));
  });

  test('a directory of the system as certificates directory is refused before anything is done', async () => {
    for (const certificatesDir of ['/etc', '/var/lib', '/usr/bin', '/etc/kubernetes/../..']) {
      const { root, files } = machine();
      const before = left(root);
      const { data } = dataFor(files, { reset: { ...standard, certificatesDir } });
      await assert.rejects(reset(data, ['remove-etcd-member']), {
        code: 'bootstrap.reset.directory',
      });
      assert.deepEqual(left(root), before);
    }
  });

  test('a static pod whose data is the whole machine does not make a reset empty it', async () => {
    for (const path of ['/', '/var', '/srv/../']) {
      const { root, files } = machine();
      const manifest = etcdManifest.replace('/srv/etcd', path);
      writeFileSync(join(root, 'etc/kubernetes/manifests/etcd.yaml'), manifest);
      const { data, lines } = dataFor(files);
      await reset(data);
      assert.deepEqual(
        left(root).filter((name) => foreign.includes(name)),
        [...foreign].sort(compareBytes),
      );
      assert.ok(lines.some((line) => line.startsWith('! the data of etcd is left in ')));
    }
  });
});

test('mountsBelow: youngest first, not the directory itself, nothing beside it', () => {
  const points = [
    '/',
    '/var/lib/kubelet',
    '/var/lib/kubelet/a',
    '/var/lib/kubelet-x',
    '/var/lib/kubelet/a/b',
  ];
  assert.deepEqual(mountsBelow(points, '/var/lib/kubelet'), [
    '/var/lib/kubelet/a/b',
    '/var/lib/kubelet/a',
  ]);
});
