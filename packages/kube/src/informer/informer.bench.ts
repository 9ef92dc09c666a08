import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type Figure = { readonly name: string; readonly value: number; readonly unit: string };

const fleetSize = 5000;
const changes = 10_000;
const programs = fileURLToPath(new URL('../testing', import.meta.url));

/**
 * Memory of a process that caches 5000 nodes of 9 KB and then follows 10 000 changes; bound: 150 MiB.
 * The server is a process of its own. The program runs as it ships: bundled, because stripping types at
 * load time alone takes 40 MiB, and with a small young generation, as the daemon and the operator do.
 */
export async function bench(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'informer-bench-'));
  try {
    await bundleInto(folder);
    return await measure(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bundleInto(folder: string): Promise<void> {
  await cp(join(programs, 'testdata'), join(folder, 'testdata'), { recursive: true });
  const entries = ['fleet-server-process', 'fleet-informer-process'].map((name) =>
    join(programs, `${name}.ts`),
  );
  const form = ['--bundle', '--platform=node', '--format=esm', '--out-extension:.js=.mjs'];
  const options = [...form, '--log-level=error', `--outdir=${folder}`];
  await promisify(execFile)('npx', ['--no-install', 'esbuild', ...entries, ...options], {
    cwd: programs,
  });
}

async function measure(folder: string): Promise<readonly Figure[]> {
  using server = start(join(folder, 'fleet-server-process.mjs'), [fleetSize, changes]);
  const { server: address } = await message<{ server: string }>([server]);
  const parameters = [address, fleetSize, fleetSize + changes];
  using informer = start(join(folder, 'fleet-informer-process.mjs'), parameters);
  const { rssMib, syncMs } = await message<{ rssMib: number; syncMs: number }>([informer, server]);
  return [
    { name: 'kube.informer_5000_nodes_rss_mib', value: Math.round(rssMib), unit: 'MiB' },
    { name: 'kube.informer_5000_nodes_sync_ms', value: Math.round(syncMs), unit: 'ms' },
  ];
}

function start(program: string, parameters: readonly (string | number)[]): ChildProcess {
  return fork(program, parameters.map(String), { execArgv: ['--max-semi-space-size=1'] });
}

/** The first message of the first process; that any of them ends before it is an error. */
async function message<T>(children: readonly [ChildProcess, ...ChildProcess[]]): Promise<T> {
  const failed = new AbortController();
  const end = (code: number | null) => failed.abort(new Error(`process ended: exit code ${code}`));
  for (const child of children) child.once('exit', end);
  const [value] = await once(children[0], 'message', { signal: failed.signal });
  for (const child of children) child.off('exit', end);
  return value as T;
}
