import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Kubectl } from './kubectl.ts';
import { waitUntil } from './wait-until.ts';

/** The command as it is shipped; `npm test` builds it first. */
export const slipwayProgram =
  process.env['SLIPWAY_PROGRAM'] ?? resolve(import.meta.dirname, '../../dist/slipway.mjs');

export type TryClusterOptions = {
  readonly nodes?: number;
  readonly controlPlanes?: number;
  readonly hosts?: 'simulated' | 'nspawn';
  /** An existing data directory goes on where it was; absent: a new one that `dispose` removes. */
  readonly data?: string;
};

/** A running `slipway up`, as a user starts it: another process tree, its own data directory. */
export class TryCluster implements AsyncDisposable {
  readonly data: string;
  readonly kubectl: Kubectl;
  readonly kubeconfig: string;
  readonly #options: TryClusterOptions;
  #child: ChildProcess | undefined;

  private constructor(options: TryClusterOptions) {
    this.#options = options;
    this.data = options.data ?? mkdtempSync(join(tmpdir(), 'slipway-try-'));
    this.kubeconfig = join(this.data, 'admin.conf');
    this.kubectl = new Kubectl(this.kubeconfig, join(this.data, 'kubectl-cache'));
  }

  static async start(options: TryClusterOptions = {}): Promise<TryCluster> {
    const cluster = new TryCluster(options);
    await cluster.start();
    return cluster;
  }

  /** Starts (again) and waits until the API answers. */
  async start(): Promise<void> {
    const { nodes = 3, controlPlanes = 1, hosts = 'simulated' } = this.#options;
    const child = spawn(
      process.execPath,
      [
        slipwayProgram,
        'up',
        '--data',
        this.data,
        '--nodes',
        String(nodes),
        '--control-planes',
        String(controlPlanes),
        '--hosts',
        hosts,
        // The first start takes a port that nobody has: clusters of several test files start at once.
        ...(existsSync(this.kubeconfig) ? [] : ['--port', String(await freePort())]),
      ],
      // A process group of its own: a crash test kills the whole tree at once.
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    this.#child = child;
    const log = createWriteStream(this.logPath, { flags: 'a' });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.on('close', () => log.end());
    await waitUntil(
      'the API server to answer',
      async () => {
        if (child.exitCode !== null)
          throw new Error(`slipway up ended with ${child.exitCode}:\n${this.log()}`);
        const { code } = await this.kubectl.try(['get', '--raw', '/readyz']);
        return code === 0 ? true : undefined;
      },
      { timeoutMs: 60_000, describe: () => this.log() },
    );
  }

  get logPath(): string {
    return join(this.data, 'up.log');
  }

  log(): string {
    return readFileSync(this.logPath, 'utf8').split('\n').slice(-40).join('\n');
  }

  get pid(): number {
    return this.#child?.pid ?? -1;
  }

  /** Root folder of a simulated host. */
  hostRoot(node: string): string {
    return join(this.data, 'hosts', node, 'root');
  }

  /** Content of a file of a simulated host; undefined when it does not exist. */
  hostFile(node: string, path: string): string | undefined {
    try {
      return readFileSync(join(this.hostRoot(node), path), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** SIGKILL to every process of the tree. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ctrl-C; returns the exit code. */
  async stop(): Promise<number | null> {
    return await this.#end('SIGINT');
  }

  async #end(signal: 'SIGKILL' | 'SIGINT'): Promise<number | null> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (signal === 'SIGKILL') process.kill(-child.pid, signal);
    else child.kill(signal);
    await closed;
    return child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
    if (this.#options.data === undefined) await rm(this.data, { recursive: true, force: true });
  }
}

/** A port of loopback that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
