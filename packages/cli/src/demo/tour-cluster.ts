import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '@slipway/base';
import { createKubeClient, type KubeClient, kubeconfigConnection } from '@slipway/kube';
import type { Environment } from '../environment.ts';
import { stepFailed } from './wait-for-view.ts';

/** The cluster of the tour: a `slipway up` of its own, as a user would start it. */
export interface TourCluster {
  readonly kubeconfig: string;
  readonly client: KubeClient;
  /** Root folder of a simulated host, as seen from here. */
  hostRoot(nodeName: string): string;
  /** Ctrl-C; gives the exit code. */
  stop(): Promise<number | undefined>;
}

/**
 * The program to start: the bundle beside a source checkout where it was built, else what runs now.
 * The bundle starts in a third of the time.
 */
export function upProgram(entryPoint: string): string {
  const bundle = join(dirname(entryPoint), '../../../dist/slipway.mjs');
  return entryPoint.endsWith('.ts') && existsSync(bundle) ? bundle : entryPoint;
}

export type TourClusterOptions = {
  readonly data: string;
  readonly nodes: number;
  readonly environment: Environment;
};

/** Starts `slipway up` and waits until its API is ready. */
export async function startTourCluster(options: TourClusterOptions): Promise<TourCluster> {
  const { data, nodes, environment } = options;
  const { nodeBinary, entryPoint, interrupted } = environment;
  const argv = [upProgram(entryPoint), 'up', '--data', data, '--nodes', String(nodes)];
  // A group of its own: Ctrl-C at the terminal goes to the tour, which stops the cluster in order.
  const child = spawn(nodeBinary, argv, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const logPath = join(data, 'up.log');
  const log = createWriteStream(logPath, { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = new Promise<number | undefined>((resolve) => {
    child.on('close', (code) => log.end(() => resolve(code ?? undefined)));
    child.on('error', () => resolve(undefined));
  });
  const kubeconfig = join(data, 'admin.conf');
  const client = createKubeClient(kubeconfigConnection(kubeconfig), { userAgent: 'slipway-demo' });

  async function stop(): Promise<number | undefined> {
    client.close();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
    const killer = systemClock.timer(20_000, () => child.kill('SIGKILL'));
    const code = await ended;
    killer[Symbol.dispose]();
    return code;
  }

  const deadline = performance.now() + 30_000;
  while (!(await isReady(client))) {
    if (child.exitCode !== null || performance.now() > deadline || interrupted.aborted) {
      await stop();
      interrupted.throwIfAborted();
      throw stepFailed('the API server to become ready', lastLines(logPath));
    }
    await systemClock.sleep(25, interrupted);
  }
  return {
    kubeconfig,
    client,
    hostRoot: (nodeName) => join(data, 'hosts', nodeName, 'root'),
    stop,
  };
}

async function isReady(client: KubeClient): Promise<boolean> {
  try {
    return (await client.raw('/readyz', { timeoutMs: 2000 })).status === 200;
  } catch {
    // Not listening yet, or its files are not written yet.
    return false;
  }
}

function lastLines(path: string): string {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(-15).join('\n');
  } catch {
    return 'it wrote nothing';
  }
}
