import { type ChildProcess, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContainerRuntime } from '../../packages/bootstrap/src/preflight/runtime/container-runtime.ts';
import { encodeMessage } from '../../packages/bootstrap/src/preflight/runtime/message.ts';
import { callUnary } from '../../packages/bootstrap/src/preflight/runtime/unary-call.ts';
import { kubeProgram, withoutKubePrograms } from './kube-binaries.ts';
import { writeOciImage } from './oci-image.ts';
import { runProgram } from './run-program.ts';
import { waitUntil } from './wait-until.ts';

/** One of the containerds that slipway is tried with. */
export type ContainerdRelease = {
  readonly name: string;
  readonly containerd: string;
  readonly ctr: string;
  /** Why it cannot be run here; false: it can. Fits `skip`. */
  readonly skip: string | false;
  /** Image of pod sandboxes that it takes when it is told none. */
  readonly sandboxImage: string;
  /** Configuration for a machine without AppArmor and without CAP_SYS_RESOURCE. */
  readonly configuration: string;
  /** That configuration with more lines for the table of the CRI's plugin, of images in version 2. */
  readonly settle: (lines: string) => string;
};

/** Control group of the pods. */
const cgroupParent = 'slipway-test';

const debian = { containerd: '/usr/bin/containerd', ctr: '/usr/bin/ctr' };

/** The image that the tests make is one for x86-64. */
const otherMachine = process.arch === 'x64' ? false : 'needs x86-64';

const configuration1 = `version = 2
[plugins."io.containerd.grpc.v1.cri".containerd]
  snapshotter = "native"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  disable_apparmor = true
`;

/** Of Debian 12: it lacks the call RuntimeConfig. */
export const containerd1: ContainerdRelease = {
  ...debian,
  name: 'containerd 1.6 of Debian',
  skip: otherMachine || withoutContainerd(),
  sandboxImage: 'registry.k8s.io/pause:3.6',
  configuration: configuration1,
  settle: (lines) => `${configuration1}${lines}`,
};

const configuration2 = `version = 3
[[plugins."io.containerd.transfer.v1.local".unpack_config]]
  platform = "linux/amd64"
  snapshotter = "native"
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true
  disable_apparmor = true
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "native"
`;

/** Of `test/kube-binaries`. */
export const containerd2: ContainerdRelease = {
  name: 'containerd 2.4',
  containerd: kubeProgram('containerd'),
  ctr: kubeProgram('ctr'),
  skip:
    otherMachine || withoutKubePrograms(['containerd', 'containerd-shim-runc-v2', 'ctr', 'runc']),
  sandboxImage: 'registry.k8s.io/pause:3.10.2',
  configuration: configuration2,
  settle: (lines) => `${configuration2}${lines}`,
};

/** Why Debian's containerd cannot be run here; false: it can. */
export function withoutContainerd(): string | false {
  try {
    accessSync(debian.containerd, constants.X_OK);
    return false;
  } catch {
    return 'not installed: containerd (apt-get install containerd)';
  }
}

/** A containerd in namespaces of its own, with its own files; nothing outlives its disposal. */
export class RealContainerd implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-containerd-'));
  readonly socket = join(this.folder, 'containerd.sock');
  readonly #release: ContainerdRelease;
  #child: ChildProcess | undefined;

  private constructor(release: ContainerdRelease) {
    this.#release = release;
  }

  /** Waits until it listens. */
  static async start(
    release: ContainerdRelease,
    options: {
      /** Replaces that of the release. */
      readonly configuration?: string;
      /** Default: it is alone in a network of its own. */
      readonly isNetworkOfMachine?: boolean;
    } = {},
  ): Promise<RealContainerd> {
    const containerd = new RealContainerd(release);
    const { configuration = release.configuration, isNetworkOfMachine = false } = options;
    try {
      await containerd.#start(configuration, isNetworkOfMachine ? [] : ['--net']);
      return containerd;
    } catch (error) {
      await containerd[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Stops it from answering, as a machine does that is out of memory; `false`: it answers again. */
  freeze(isFrozen: boolean): void {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    process.kill(Number(child), isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  async importImage(reference: string): Promise<void> {
    const archive = join(this.folder, 'image.tar');
    await writeOciImage(archive, reference);
    const ctr = [this.#release.ctr, '--address', this.socket, '--namespace', 'k8s.io'];
    const { code, stderr } = await runProgram([...ctr, 'images', 'import', archive]);
    if (code !== 0) throw new Error(`import ${reference}: ${stderr}`);
    // The CRI hears of it by an event.
    const runtime = createContainerRuntime(this.socket);
    await waitUntil(reference, async () => (await runtime.hasImage(reference)) || undefined);
  }

  /** Runs a pod without containers in the network of the machine, as kubelets do for static pods. */
  async runPod(name: string): Promise<void> {
    await this.importImage(this.#release.sandboxImage);
    const metadata = encodeMessage([
      { number: 1, value: name },
      { number: 2, value: `uid-${name}` },
      { number: 3, value: 'kube-system' },
    ]);
    // Field 1, network: NODE.
    const namespaces = encodeMessage([{ number: 1, value: Buffer.of(8, 2) }]);
    const linux = encodeMessage([
      { number: 1, value: `/${cgroupParent}` },
      { number: 2, value: namespaces },
    ]);
    const config = encodeMessage([
      { number: 1, value: metadata },
      { number: 3, value: join(this.folder, 'logs') },
      { number: 8, value: linux },
    ]);
    const result = await callUnary({
      socket: this.socket,
      method: '/runtime.v1.RuntimeService/RunPodSandbox',
      request: encodeMessage([{ number: 1, value: config }]),
      timeoutMs: 60_000,
    });
    if (result.answer === undefined) throw new Error(`run pod ${name}: ${result.message}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.on('close', resolve));
      // Its child is the first process of the namespace: with it all others end.
      child.kill('SIGKILL');
      await ended;
    }
    // Empty now; a pod that was killed with its containerd may still be in it for an instant.
    for (const path of globSync(`/sys/fs/cgroup/{,*/}${cgroupParent}`)) {
      // Its files are the kernel's: only the directory can be removed.
      await rmdir(path).catch(() => undefined);
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }

  async #start(configuration: string, more: readonly string[]): Promise<void> {
    const config = join(this.folder, 'config.toml');
    const log = join(this.folder, 'log');
    writeFileSync(config, configuration);
    const { containerd } = this.#release;
    const path = `${join(containerd, '..')}:${process.env['PATH'] ?? ''}:/usr/sbin`;
    const directories = [
      '--root',
      join(this.folder, 'root'),
      '--state',
      join(this.folder, 'state'),
    ];
    this.#child = spawn(
      'unshare',
      [
        ...['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', ...more],
        ...[containerd, '--config', config, '--address', this.socket, ...directories],
      ],
      { stdio: ['ignore', 'ignore', openSync(log, 'a')], env: { ...process.env, PATH: path } },
    );
    const child = this.#child;
    await waitUntil(
      `${this.#release.name} to listen`,
      () => {
        if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8'));
        return existsSync(this.socket) ? true : undefined;
      },
      { timeoutMs: 30_000, describe: () => readFileSync(log, 'utf8') },
    );
  }
}
