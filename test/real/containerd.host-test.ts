import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { compareBytes } from '@slipway/base';
import { createContainerRuntime } from '@slipway/bootstrap';
import { isolation } from '../kit/isolated-machine.ts';
import { kubernetesVersion, withoutNamespaces } from '../kit/kube-binaries.ts';
import { serveOciImage } from '../kit/oci-image.ts';
import {
  type ContainerdRelease,
  containerd1,
  containerd2,
  RealContainerd,
} from '../kit/real-containerd.ts';
import { type ProgramResult, runProgram } from '../kit/run-program.ts';
import { slipwayProgram } from '../kit/try-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-real-containerd-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A name of the CRI's plugin that containerd 1 and 2 both know. */
const withoutCri = 'version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n';

/** Runs slipway on a machine of its own where containerd's configuration is `configuration`. */
function slipway(argv: readonly string[], configuration: string): Promise<ProgramResult> {
  const script = join(folder, 'run.sh');
  const config = join(folder, 'config.toml');
  writeFileSync(config, configuration);
  writeFileSync(
    script,
    `${isolation}mount -t tmpfs tmpfs /run
mkdir -p /etc/containerd
cp ${config} /etc/containerd/config.toml
exec "$@"
`,
  );
  const program = [process.execPath, slipwayProgram, ...argv];
  return runProgram(['unshare', '-mn', 'sh', script, ...program]);
}

/** Checks that ask the runtime. */
const asking = ['CRI', 'ContainerRuntimeVersion', 'CgroupDriver', 'SandboxImage'];

/** What these find, `WARNING ContainerRuntimeVersion: …`. */
async function findings(
  { socket }: RealContainerd,
  configuration: string,
  flags: readonly string[] = [],
): Promise<readonly string[]> {
  const { stdout, stderr } = await slipway(
    [
      ...['preflight', 'init', '--kubernetes-version', kubernetesVersion, '--cri-socket', socket],
      ...['--apiserver-advertise-address', '10.20.0.11', ...flags],
    ],
    configuration,
  );
  const found = `${stderr}\n${stdout}`.matchAll(/\t\[(WARNING|ERROR) ([^\]]+)\](: .*)/g);
  return Array.from(found, ([, level, name, message]) => ({ level, name: name ?? '', message }))
    .filter(({ name }) => asking.includes(name))
    .map(({ level, name, message }) => `${level} ${name}${message}`)
    .sort(compareBytes);
}

function matchAll(lines: readonly string[], patterns: readonly RegExp[]): void {
  assert.equal(lines.length, patterns.length, lines.join('\n'));
  for (const [index, pattern] of patterns.entries()) assert.match(lines[index] ?? '', pattern);
}

const pull = (socket: string, repository?: string) => [
  ...['config', 'images', 'pull', '--kubernetes-version', kubernetesVersion],
  ...['--cri-socket', `unix://${socket}`],
  ...(repository === undefined ? [] : ['--image-repository', repository]),
];

const mirror = 'mirror.example.com/k8s';

/** What slipway says of each, by what is configured; live and in /etc/containerd/config.toml alike. */
const expectations: readonly {
  readonly release: ContainerdRelease;
  readonly asInstalled: readonly RegExp[];
  readonly withMirror: readonly RegExp[];
  /** Lines that make the runtime one for this cluster. */
  readonly settled: string;
  readonly whenSettled: readonly RegExp[];
  /** What it then tells of itself. */
  readonly driver: 'systemd' | undefined;
}[] = [
  {
    release: containerd1,
    asInstalled: [
      /^ERROR CgroupDriver: .*systemd and containerd cgroupfs/,
      /^WARNING ContainerRuntimeVersion: /,
      /^WARNING SandboxImage: .*pause:3\.6; /,
    ],
    withMirror: [
      /^ERROR CgroupDriver: /,
      /^ERROR SandboxImage: .*pause:3\.6; .*mirror\.example\.com/,
      /^WARNING ContainerRuntimeVersion: /,
    ],
    settled: `  sandbox_image = "${mirror}/pause:3.10.2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    options = { SystemdCgroup = true }
`,
    whenSettled: [/^WARNING ContainerRuntimeVersion: /],
    driver: undefined,
  },
  {
    release: containerd2,
    asInstalled: [],
    withMirror: [/^WARNING SandboxImage: .*not told which image/],
    settled: `  pinned_images = { sandbox = "${mirror}/pause:3.10.2" }
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  options = { SystemdCgroup = true }
`,
    whenSettled: [],
    driver: 'systemd',
  },
];

for (const { release, ...expected } of expectations) {
  const skip = withoutNamespaces() || release.skip;
  const { configuration } = release;
  suite(release.name, { skip, timeout: 180_000 }, () => {
    test('preflight finds what is wrong with it as it is installed', async () => {
      await using containerd = await RealContainerd.start(release);
      matchAll(await findings(containerd, configuration), expected.asInstalled);
      const flags = ['--image-repository', mirror];
      matchAll(await findings(containerd, configuration, flags), expected.withMirror);
    });

    test('preflight finds nothing when it is configured', async () => {
      const settled = release.settle(expected.settled);
      await using containerd = await RealContainerd.start(release, { configuration: settled });
      const runtime = createContainerRuntime(containerd.socket);
      assert.equal(await runtime.cgroupDriver(), expected.driver);
      const flags = ['--image-repository', mirror];
      matchAll(await findings(containerd, settled, flags), expected.whenSettled);
    });

    test('without the plugin of the CRI, and when it does not answer', async () => {
      await using containerd = await RealContainerd.start(release, { configuration: withoutCri });
      const [cri = ''] = await findings(containerd, configuration);
      assert.match(cri, /^ERROR CRI: .*unknown service .*disabled_plugins/);
      containerd.freeze(true);
      const { code, stderr } = await slipway(pull(containerd.socket), configuration);
      containerd.freeze(false);
      assert.equal(code, 1);
      assert.match(stderr, /^error: ask container runtime at .*: no answer within \d+ ms\n/);
    });

    test('an image is there or not; one that cannot be pulled is named, with the reason', async () => {
      await using containerd = await RealContainerd.start(release);
      const image = 'registry.example.com/a/pause:1';
      await containerd.importImage(image);
      const runtime = createContainerRuntime(containerd.socket);
      assert.equal(await runtime.hasImage(image), true);
      assert.equal(await runtime.hasImage('registry.example.com/a/pause:2'), false);
      const { code, stderr } = await slipway(pull(containerd.socket), configuration);
      assert.equal(code, 1);
      assert.match(stderr, /^registry\.k8s\.io\/etcd:\S+: .*dial tcp: lookup registry\.k8s\.io/m);
      assert.match(stderr, /\nerror: pull images: .*\/etcd:\S+ could not be pulled\n/);
      assert.doesNotMatch(stderr, /^\s+at /m);
    });

    test('images are pulled from a registry', async () => {
      await using registry = await serveOciImage();
      await using containerd = await RealContainerd.start(release, { isNetworkOfMachine: true });
      const repository = `${registry.host}/k8s`;
      const argv = pull(containerd.socket, repository);
      const { code, stdout, stderr } = await slipway(argv, configuration);
      assert.equal(code, 0, stderr);
      const pulled = Array.from(stdout.matchAll(/pulled (\S+)/g), ([, image]) => image ?? '');
      assert.equal(pulled.length, 7, stdout);
      const runtime = createContainerRuntime(containerd.socket);
      for (const image of pulled) {
        assert.ok(image.startsWith(repository));
        assert.equal(await runtime.hasImage(image), true, image);
      }
    });

    test('reset removes its pods', async () => {
      await using containerd = await RealContainerd.start(release);
      const runtime = createContainerRuntime(containerd.socket);
      for (const name of ['etcd-cp1', 'kube-scheduler-cp1']) await containerd.runPod(name);
      assert.equal((await runtime.pods()).length, 2);
      const argv = ['reset', 'phase', 'cleanup-node', '--cri-socket', containerd.socket];
      const { code, stdout, stderr } = await slipway(argv, configuration);
      assert.equal(code, 0, stderr);
      assert.match(`${stdout}${stderr}`, /removed 2 of 2 pods of the container runtime/);
      assert.deepEqual(await runtime.pods(), []);
    });
  });
}
