import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@slipway/base';
import { createAccounts } from '../account/accounts.ts';
import { bootIdPath, commandLinePath, readKernelFile } from '../boot/kernel-files.ts';
import { createHostFiles } from '../file/host-files.ts';
import { noLabels } from '../file/labels.ts';
import { realOwnership } from '../file/ownership.ts';
import type { Boot, Host } from '../host.ts';
import { SystemdStateFile } from './model/systemd-state.ts';
import { ModelledOwnership } from './modelled-ownership.ts';
import { SimulatedSystemd } from './simulated-systemd.ts';
import { makeRoot } from './template.ts';

export type SimulatedHostOptions = {
  /** Folder of this host; made when missing. Holds `root/` and, beside it, what a machine keeps in memory. */
  readonly directory: string;
  /** Host name, written to `/etc/hostname` of a new host. */
  readonly name: string;
  /**
   * Called when the host is asked to reboot. Whoever started the processes on it ends them, calls
   * `powerOn` and starts them again; nothing of this happens by itself.
   */
  readonly onReboot: (reason: string) => void;
  /** Default the machine's clock. */
  readonly clock?: Clock;
};

/** A host in a folder: real files, a model of systemd, owners of its own when the process is not root. */
export interface SimulatedHost extends Host {
  readonly name: string;
  /** The folder that is the host's `/`. */
  readonly rootPath: string;
  /** True after `powerOn`, also for another process that opens the same folder. */
  isPoweredOn(): boolean;
  /** A new boot: new boot id, empty `/run` and `/tmp`, nothing running but what the default target wants. */
  powerOn(): Promise<void>;
  /** Ends everything at once; files stay as they are. */
  powerOff(): Promise<void>;
}

/** Opens the host in `directory`, making it when there is none. A new host is powered off. */
export async function createSimulatedHost(options: SimulatedHostOptions): Promise<SimulatedHost> {
  const { directory, name, clock } = options;
  mkdirSync(directory, { recursive: true });
  const rootPath = join(directory, 'root');
  const isRoot = process.getuid?.() === 0;
  const ownership = isRoot ? realOwnership : new ModelledOwnership(join(directory, 'owners'));
  await makeRoot(rootPath, name, ownership);
  const files = createHostFiles({
    root: rootPath,
    ownership,
    labels: noLabels,
    kernelDirectories: ['/proc', '/sys', '/dev'],
    ...(clock === undefined ? {} : { clock }),
  });
  const state = new SystemdStateFile(join(directory, 'systemd.json'));
  const systemd = new SimulatedSystemd(files, state);
  return {
    name,
    rootPath,
    files,
    systemd,
    accounts: createAccounts(files),
    boot: createSimulatedBoot(rootPath, options.onReboot),
    isPoweredOn: () => state.read().bootId !== '',
    async powerOn() {
      const bootId = randomUUID();
      emptyFolder(join(rootPath, 'run'), 0o755);
      emptyFolder(join(rootPath, 'tmp'), 0o1777);
      mkdirSync(join(rootPath, 'proc/sys/kernel/random'), { recursive: true });
      writeFileSync(join(rootPath, bootIdPath), `${bootId}\n`);
      await systemd.powerOn(bootId);
    },
    powerOff: () => systemd.powerOff(),
  };
}

function createSimulatedBoot(root: string, onReboot: (reason: string) => void): Boot {
  return {
    id: () => readKernelFile(root, bootIdPath),
    kernelCommandLine: () => readKernelFile(root, commandLinePath),
    async reboot(reason) {
      onReboot(reason);
    },
  };
}

/** As a tmpfs would be; a symbolic link in its place is replaced, so that nothing outside is emptied. */
function emptyFolder(path: string, mode: number): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    rmSync(path, { force: true });
    mkdirSync(path);
  }
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
  chmodSync(path, mode);
}
