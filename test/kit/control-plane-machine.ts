import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type KubeProgram, kubeProgram } from './kube-binaries.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import { waitUntil } from './wait-until.ts';

/** The host network's address of the machine; nothing outside its namespace has it. */
export const machineAddress = '10.20.0.11';

type StaticPod = {
  readonly spec: { readonly containers: readonly { readonly command: readonly string[] }[] };
};

/**
 * A machine without a kubelet: namespaces of its own for network, mounts and processes, in which
 * /etc/kubernetes and /var/lib/etcd are those of a root folder. It runs the real programs with the
 * command lines of the static pods, unchanged. When it ends, the kernel ends all that ran in it.
 */
export class ControlPlaneMachine implements AsyncDisposable {
  /** What `--rootfs` names. */
  readonly root: string;
  readonly #directory: string;
  readonly #holder: ChildProcess;
  readonly #first: number;
  readonly #logs = new Map<string, string>();

  private constructor(directory: string, holder: ChildProcess, first: number) {
    this.#directory = directory;
    this.root = join(directory, 'root');
    this.#holder = holder;
    this.#first = first;
  }

  static async start(): Promise<ControlPlaneMachine> {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-control-plane-'));
    const namespaces = ['--net', '--mount', '--pid', '--uts', '--fork', '--kill-child'];
    const holder = spawn(
      'unshare',
      [...namespaces, '--mount-proc', '--propagation=private', 'sleep', 'infinity'],
      { stdio: 'ignore' },
    );
    const first = await waitUntil('the namespaces of the machine', () => {
      const line = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim();
      return line !== '' && nameOf(line) === 'sleep' ? Number(line) : undefined;
    });
    const machine = new ControlPlaneMachine(directory, holder, first);
    await machine.#furnish();
    return machine;
  }

  async #furnish(): Promise<void> {
    await this.must(['hostname', 'cp1']);
    await this.must(['ip', 'link', 'set', 'lo', 'up']);
    await this.must(['ip', 'address', 'add', `${machineAddress}/32`, 'dev', 'lo']);
    await this.must(['mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
    for (const [below, path] of [
      ['/etc', '/etc/kubernetes'],
      ['/var/lib', '/var/lib/etcd'],
    ] as const) {
      // What the computer has there stays as it is: the new directory is in memory only.
      const layer = `/mnt${below}`;
      await this.must(['mkdir', '-p', `${layer}/upper`, `${layer}/work`]);
      const options = `lowerdir=${below},upperdir=${layer}/upper,workdir=${layer}/work`;
      await this.must(['mount', '-t', 'overlay', 'overlay', '-o', options, below]);
      await this.must(['mkdir', '-p', path]);
      mkdirSync(join(this.root, path), { recursive: true, mode: 0o700 });
      await this.must(['mount', '--bind', join(this.root, path), path]);
    }
  }

  /** The command that runs `argv` in the machine's namespaces. */
  inside(argv: readonly string[]): readonly string[] {
    return ['nsenter', '-t', String(this.#first), '-n', '-m', '-p', '-u', '--', ...argv];
  }

  run(argv: readonly string[], input?: string): Promise<ProgramResult> {
    return runProgram(this.inside(argv), {
      timeoutMs: 120_000,
      // Proxies of the computer must not be asked for addresses that exist here only.
      env: { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' },
      ...(input === undefined ? {} : { input }),
    });
  }

  /** Runs to the end and gives standard output; throws for any other exit code than 0. */
  async must(argv: readonly string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(argv, input);
    if (code !== 0) throw new Error(`${argv.join(' ')}: exit ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** The command line of a static pod's container, as its manifest has it. */
  commandOf(component: string): readonly string[] {
    const path = join(this.root, 'etc/kubernetes/manifests', `${component}.yaml`);
    const pod = parse(readFileSync(path, 'utf8')) as StaticPod;
    return pod.spec.containers[0]?.command ?? [];
  }

  /** Starts the real program of a static pod with the command line of its manifest. */
  startStaticPod(component: KubeProgram): void {
    const [, ...flags] = this.commandOf(component);
    const [command = '', ...rest] = this.inside([kubeProgram(component), ...flags]);
    const log = join(this.#directory, `${component}.log`);
    this.#logs.set(component, log);
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    const file = createWriteStream(log);
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    child.on('close', (code) => file.end(`ended with ${code}\n`));
  }

  /** The last lines of all programs: why one is not ready. */
  lastLines(): string {
    return [...this.#logs]
      .map(
        ([name, path]) =>
          `${name}:\n${readFileSync(path, 'utf8').split('\n').slice(-15).join('\n')}`,
      )
      .join('\n');
  }

  kubectl(args: readonly string[], input?: string): Promise<ProgramResult> {
    const kubeconfig = join(this.root, 'etc/kubernetes/admin.conf');
    return this.run(this.kubectlCommand(kubeconfig, args), input);
  }

  kubectlCommand(kubeconfig: string, args: readonly string[]): readonly string[] {
    const cache = join(this.#directory, 'kubectl-cache');
    return [kubeProgram('kubectl'), `--kubeconfig=${kubeconfig}`, `--cache-dir=${cache}`, ...args];
  }

  /** A new empty root folder of another host, removed with the machine. */
  otherRoot(name: string): string {
    const path = join(this.#directory, name);
    mkdirSync(path);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#holder.once('exit', () => resolve()));
    this.#holder.kill('SIGKILL');
    await ended;
    await waitUntil('the machine to end', () =>
      nameOf(String(this.#first)) === undefined ? true : undefined,
    );
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function nameOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
