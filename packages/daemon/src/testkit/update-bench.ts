import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MachineConfig } from '@slipway/api';
import { silentLogger } from '@slipway/base';
import { createSimulatedHost, type Host, type SimulatedHost } from '@slipway/host';
import { type DisruptionPolicy, policyInForce } from '@slipway/machineconfig';
import { expectState } from '../declaration/expect.ts';
import { readHostConfig } from '../declaration/read-host-config.ts';
import { readStoredConfig, type StoredConfig } from '../state/stored-config.ts';
import { draftUpdate } from '../update/draft.ts';
import type { Attention } from '../update/executor.ts';
import { type UpdateResult, Updater } from '../update/updater.ts';

const run = promisify(execFile);
/** Memory where there is some: hundreds of hosts are copied and synced. */
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const stateDirectory = '/var/lib/machine-config-daemon';
/** Everything of a simulated host that an update may change, without the daemon's own records. */
export const managedFolders = ['/etc', '/home', '/usr/local', '/opt', '/srv'];

export type BenchHost = AsyncDisposable & {
  readonly host: SimulatedHost;
  readonly directory: string;
};

/** A simulated host in a new folder, a copy of `like` where that is given. */
export async function createBenchHost(like?: BenchHost): Promise<BenchHost> {
  const directory = await mkdtemp(join(scratch, 'slipway-update-'));
  if (like !== undefined) await run('cp', ['-a', `${like.directory}/.`, directory]);
  const host = await createSimulatedHost({ directory, name: 'bench', onReboot: () => undefined });
  if (like === undefined) await host.powerOn();
  return {
    host,
    directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** The same machine as the next process sees it: nothing of the last one's memory is left. */
export async function reopen({ directory }: BenchHost): Promise<Host> {
  return createSimulatedHost({ directory, name: 'bench', onReboot: () => undefined });
}

/** The daemon's update machinery on `host`, without agent and API. */
export function createUpdater(host: Host): Updater {
  return new Updater({
    host,
    stateDirectory,
    logger: silentLogger,
    now: () => Date.now(),
    pause: () => Promise.resolve(),
    expect: (config) => expectState(readHostConfig(config), host.accounts),
  });
}

/** Plans and carries out an update to `name`, as the agent does. */
export async function runUpdate(
  host: Host,
  name: string,
  spec: MachineConfig['spec'],
  options: {
    readonly policy?: DisruptionPolicy;
    readonly forced?: boolean;
    readonly attention?: () => Attention;
  } = {},
): Promise<UpdateResult> {
  const { policy = policyInForce(undefined), forced = false, attention = () => 'go' } = options;
  const updater = createUpdater(host);
  const target: StoredConfig = { name, spec };
  const stored = await readStoredConfig(updater.files, 'current');
  const previous = stored === undefined ? {} : { previous: stored };
  const input = { host, files: updater.files, target, policy, forced, findings: [], ...previous };
  const draft = await draftUpdate(input);
  if (draft.kind === 'drifted') throw new Error('the host is drifted');
  if (draft.kind === 'refused') return { kind: 'undone', failure: draft.failure };
  return updater.begin(draft.update, attention);
}
