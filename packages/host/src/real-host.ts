import { createAccounts } from './account/accounts.ts';
import { createRealBoot } from './boot/real-boot.ts';
import { createHostFiles } from './file/host-files.ts';
import { labelsFor } from './file/labels.ts';
import { realOwnership } from './file/ownership.ts';
import type { Host } from './host.ts';
import { type RunProgram, runProgram } from './process/run.ts';
import { createRealSystemd } from './systemd/real-systemd.ts';

export type RealHostOptions = {
  /** Where the host's `/` is: `/` for a service, the mount point of it in a container. Default `/`. */
  readonly root?: string;
};

/**
 * The machine this process runs on. With another root than `/` the host's own programs are run
 * with that root as theirs, so they meet the host's configuration, libraries and sockets.
 */
export function createRealHost(options: RealHostOptions = {}): Host {
  const root = options.root ?? '/';
  const run = root === '/' ? runProgram : inRoot(root);
  const files = createHostFiles({ root, ownership: realOwnership, labels: labelsFor(root, run) });
  return {
    files,
    systemd: createRealSystemd(run),
    accounts: createAccounts(files),
    boot: createRealBoot(root === '/' ? '' : root, run),
  };
}

function inRoot(root: string): RunProgram {
  // systemctl does nothing in a chroot unless it is told that this one is meant.
  const environment = { SYSTEMD_IGNORE_CHROOT: '1' };
  return (argv, options = {}) =>
    runProgram(['chroot', root, ...argv], {
      ...options,
      environment: { ...environment, ...options.environment },
    });
}
