import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '@slipway/base';
import { terminal } from '../errors.ts';
import {
  programPath,
  type RunOptions,
  type RunProgram,
  type RunResult,
  runProgram,
} from '../process/run.ts';
import { clearCgroups } from './cgroup.ts';
import { machineAddress, machineDirectory, machineId, type NspawnFleet } from './fleet.ts';
import type { Machine } from './machine.ts';
import { mountOverlay, unmountBelow } from './mounts.ts';
import { setLink } from './network.ts';
import { NspawnProcess } from './nspawn-process.ts';

export type NspawnMachineOptions = {
  readonly fleet: NspawnFleet;
  /** Host name. */
  readonly name: string;
  /** From 1, unique in the fleet; decides about address, folder and the names of interfaces. */
  readonly index: number;
  /** Folder that the machine sees read-only at `machineBundlePath`; default none. */
  readonly bundleDirectory?: string;
  /** The Node binary that the machine sees at `machineNodePath`; default this process's own. */
  readonly nodePath?: string;
};

/** Where a machine finds the Node binary of this computer. */
export const machineNodePath = '/opt/slipway/bin/node';
/** Where a machine finds `bundleDirectory`. */
export const machineBundlePath = '/opt/slipway/bundle';

/**
 * Mounts a machine's root, on top of the files of an earlier run where there are any. It is off:
 * files can be written below `rootPath` before `start`.
 */
export async function createNspawnMachine(options: NspawnMachineOptions): Promise<Machine> {
  const { fleet, index } = options;
  const directory = machineDirectory(fleet, index);
  const root = join(directory, 'root');
  const [upper, work] = [join(directory, 'upper'), join(directory, 'work')];
  for (const path of [root, upper, work]) mkdirSync(path, { recursive: true });
  await mountOverlay({ lower: fleet.imagePath, upper, work, merged: root });
  furnish(options, root);
  return new NspawnMachine(options, directory);
}

function furnish(options: NspawnMachineOptions, root: string): void {
  const { fleet, name, index } = options;
  const address = machineAddress(fleet, index);
  const write = (path: string, content: string) => writeFileSync(join(root, path), content);
  write('etc/hostname', `${name}\n`);
  write('etc/hosts', `127.0.0.1 localhost\n${address} ${name}\n`);
  write('etc/resolv.conf', '');
  mkdirSync(join(root, 'etc/systemd/network'), { recursive: true });
  write(
    'etc/systemd/network/10-host0.network',
    `[Match]\nName=host0\n\n[Network]\nAddress=${address}/24\nGateway=${fleet.hostAddress}\nLinkLocalAddressing=no\n`,
  );
  mkdirSync(join(root, 'opt/slipway/bin'), { recursive: true });
  mkdirSync(join(root, machineBundlePath), { recursive: true });
  if (!existsSync(join(root, machineNodePath))) write(machineNodePath, '');
}

/** `systemctl is-system-running` when a boot is over. */
const bootIsOver = new Set(['running', 'degraded', 'maintenance']);
const readyTimeoutMs = 120_000;
const pollMs = 150;

class NspawnMachine implements Machine {
  readonly name: string;
  readonly address: string;
  readonly rootPath: string;
  readonly exec: RunProgram = (argv, options) => this.#runInside(argv, options);
  readonly #id: string;
  readonly #directory: string;
  readonly #process: NspawnProcess;

  constructor(options: NspawnMachineOptions, directory: string) {
    const { fleet, index, bundleDirectory, nodePath = process.execPath } = options;
    this.name = options.name;
    this.address = machineAddress(fleet, index);
    this.rootPath = join(directory, 'root');
    this.#id = machineId(fleet, index);
    this.#directory = directory;
    const node = { source: realpathSync(nodePath), target: machineNodePath };
    const bundle = bundleDirectory && { source: bundleDirectory, target: machineBundlePath };
    this.#process = new NspawnProcess({
      id: this.#id,
      root: this.rootPath,
      bridge: fleet.bridge,
      uuid: uuidOf(directory),
      consolePath: join(directory, 'console.log'),
      binds: bundle ? [node, bundle] : [node],
    });
  }

  start(): Promise<void> {
    return this.#process.start();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  powerCut(): Promise<void> {
    return this.#process.kill();
  }

  async waitReady(): Promise<void> {
    let last = 'init does not answer';
    for (const end = Date.now() + readyTimeoutMs; Date.now() < end; await pause(pollMs)) {
      try {
        const { stdout, stderr } = await this.exec(['systemctl', 'is-system-running'], {
          timeoutMs: 5000,
        });
        if (bootIsOver.has(stdout.trim())) return;
        last = stdout.trim() || stderr.trim();
      } catch (error) {
        last = describeError(error);
        if (!this.#process.isWanted()) break;
      }
    }
    throw terminal('host.nspawn.start', `boot ${this.name}: ${last}; ${this.#process.lastWords()}`);
  }

  async reboot(): Promise<void> {
    const next = this.nextBoot();
    // Awaited below; until then a machine that goes off instead must not end this process.
    next.catch(() => undefined);
    // The answer may get lost with the machine.
    await this.exec(['systemctl', '--no-block', 'reboot']).catch(() => undefined);
    await next;
  }

  async nextBoot(): Promise<void> {
    await this.#process.nextStart();
    await this.waitReady();
  }

  async #runInside(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const leader = this.#process.leader();
    if (leader === undefined) {
      throw terminal('host.nspawn.exec', `run ${argv[0]} in ${this.name}: the machine is off`);
    }
    const { environment = {}, ...others } = options;
    const inside = { PATH: programPath, ...environment };
    const variables = Object.entries(inside).map(([key, value]) => `${key}=${value}`);
    return await runProgram([...enter(leader), 'env', '-i', ...variables, ...reaped, ...argv], {
      timeoutMs: 60_000,
      ...others,
    });
  }

  async bootId(): Promise<string> {
    if (this.#process.leader() === undefined) return '';
    return (await this.exec(['cat', '/proc/sys/kernel/random/boot_id'])).stdout.trim();
  }

  connect(state: 'up' | 'down'): Promise<void> {
    return setLink(this.#id, state);
  }

  async release(): Promise<void> {
    await this.stop();
    await clearCgroups(this.#id);
    await unmountBelow(this.#directory);
  }

  async destroy(): Promise<void> {
    await this.release();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** All namespaces and the root of the machine; `-F`: nsenter itself must not wait for the program. */
function enter(leader: number): readonly string[] {
  const namespaces = ['-m', '-u', '-i', '-n', '-p', '-C', '-r', '-w', '-F'];
  return ['nsenter', '-t', String(leader), ...namespaces, '--'];
}

/**
 * A process that entered from outside is stopped by the machine's shutdown and would never be
 * collected by its parent out here, which keeps the machine from ending. This shell is a parent in
 * the machine's own process namespace, and ends with it.
 */
const reaped = ['sh', '-c', '{ "$@" <&3 3<&- & } 3<&0; wait "$!"', 'sh'] as const;

/** The machine id survives reboots and later runs. */
function uuidOf(directory: string): string {
  const path = join(directory, 'uuid');
  if (!existsSync(path)) writeFileSync(path, randomUUID());
  return readFileSync(path, 'utf8');
}
