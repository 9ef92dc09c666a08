import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLogger, silentLogger, systemClock, UserError } from '@slipway/base';
import type { Ground } from '@slipway/bootstrap';
import {
  createMachineProbe,
  createRealHost,
  createRootFolderFiles,
  type HostFiles,
  type MachineProbe,
  programPathOf,
  type RunProgram,
  runProgram,
} from '@slipway/host';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';

/** Flags that every bootstrap command has. */
export type GroundFlags = {
  /** Folder that is taken for the root of the machine; default the machine itself. */
  readonly rootfs?: string;
  /** kubeadm's level of detail; from 1 on, logs go to standard error. Default 0. */
  readonly v?: number;
};

/**
 * What a bootstrap command works on: this machine, or the folder of `--rootfs`. Below a folder no
 * unit is touched and no program is run, and neither root nor chroot is needed: a process that is
 * not root keeps the files it writes.
 * @throws UserError `cli.bootstrap.rootfs`
 */
export function createGround(context: CommandContext, flags: GroundFlags = {}): Ground {
  const { environment, output } = context;
  const logger = (flags.v ?? 0) > 0 ? createLogger((line) => output.problem(line)) : silentLogger;
  const root = rootOf(context, flags);
  const surroundings = { clock: systemClock, logger, variables: environment.variables };
  if (root !== '/') {
    const files = folderFiles(context, root);
    const machine = folderMachine(root, createMachineProbe({ files }));
    return { ...surroundings, files, machine };
  }
  const host = createRealHost();
  const files = environment.userId === 0 ? host.files : folderFiles(context, '/');
  // As with kubeadm: a kubelet in /opt/bin is found where the path of the user leads there.
  const PATH = programPathOf(environment.variables['PATH']);
  const machine = createMachineProbe({ files, path: PATH });
  const run: RunProgram = (argv, options) =>
    runProgram(argv, { ...options, environment: { PATH, ...options?.environment } });
  return { ...surroundings, files, machine, systemd: host.systemd, run };
}

/**
 * Absolute path of the folder that is taken for the root of the machine. An empty one is a variable that
 * is not set, and neither this machine nor the working directory is what was meant.
 * @throws UserError `cli.bootstrap.rootfs`
 */
export function rootOf({ environment }: CommandContext, { rootfs }: GroundFlags): string {
  if (rootfs === '') throw unusableRoot('--rootfs: it is empty');
  return resolve(environment.workingDirectory, rootfs ?? '/');
}

/**
 * The machine that a folder is the root of: it is named by its own /etc/hostname. Its files may be
 * written as far as the process may, which is all the privilege that is needed.
 */
function folderMachine(root: string, probe: MachineProbe): MachineProbe {
  return {
    ...probe,
    effectiveUserId: () => 0,
    hostname: () => ownHostname(root) ?? probe.hostname(),
  };
}

function ownHostname(root: string): string | undefined {
  try {
    const name = readFileSync(join(root, 'etc/hostname'), 'utf8').trim();
    return name === '' ? undefined : name;
  } catch {
    // A tree without a name of its own.
    return undefined;
  }
}

function folderFiles({ environment }: CommandContext, root: string): HostFiles {
  const files = createRootFolderFiles({ root, userId: environment.userId });
  if (files !== undefined) return files;
  throw unusableRoot(`--rootfs ${root}: no such directory`);
}

function unusableRoot(problem: string): UserError {
  const code: CliErrorCode = 'cli.bootstrap.rootfs';
  return new UserError(`use ${problem}`, { code });
}
