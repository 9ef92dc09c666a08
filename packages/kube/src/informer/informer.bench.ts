import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Figure = { readonly name: string; readonly value: number; readonly unit: string };

const fleetSize = 5000;
const changes = 10_000;

/**
 * Memory of a process that caches 5000 nodes of 9 KB and then follows 10 000 changes; bound: 150 MiB.
 * The server is a process of its own. The young generation is kept small, as for the daemon and the operator.
 */
export async function bench(): Promise<readonly Figure[]> {
  const server = start('fleet-server-process', [fleetSize, changes]);
  try {
    const { server: address } = await message<{ server: string }>(server);
    const informer = start('fleet-informer-process', [address, fleetSize, fleetSize + changes]);
    const { rssMib, syncMs } = await message<{ rssMib: number; syncMs: number }>(informer);
    await once(informer, 'exit');
    return [
      { name: 'kube.informer_5000_nodes_rss_mib', value: Math.round(rssMib), unit: 'MiB' },
      { name: 'kube.informer_5000_nodes_sync_ms', value: Math.round(syncMs), unit: 'ms' },
    ];
  } finally {
    server.disconnect();
  }
}

function start(program: string, parameters: readonly (string | number)[]): ChildProcess {
  const path = fileURLToPath(new URL(`../testing/${program}.ts`, import.meta.url));
  return fork(path, parameters.map(String), { execArgv: ['--max-semi-space-size=1'] });
}

async function message<T>(child: ChildProcess): Promise<T> {
  const failed = new AbortController();
  child.once('exit', (code) => failed.abort(new Error(`bench process ended: exit code ${code}`)));
  const [value] = await once(child, 'message', { signal: failed.signal });
  return value as T;
}
