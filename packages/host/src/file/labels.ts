import { existsSync } from 'node:fs';
import { terminal } from '../errors.ts';
import type { HostPath } from '../host.ts';
import type { RunProgram } from '../process/run.ts';

/** Security labels of new files. */
export interface Labels {
  /** Gives `temporary` the label that the policy wants for `target`, before it is renamed there. */
  restore(temporary: HostPath, target: HostPath): Promise<void>;
}

/** For machines without a labelling security module. */
export const noLabels: Labels = { restore: async () => undefined };

/**
 * SELinux: the policy's label for the target is looked up and set on the temporary file, because
 * `restorecon` on a temporary name would give it the label of that name.
 * `run` runs a program of the host, with the host's root as its root.
 */
export function selinuxLabels(run: RunProgram): Labels {
  async function ask(argv: readonly string[], target: HostPath): Promise<string> {
    const result = await run(argv);
    if (result.exitCode === 0) return result.stdout.trim();
    throw terminal(
      'host.file.label',
      `restore label ${target}: ${result.stderr.trim() || `${argv[0]} ended with ${result.exitCode}`}`,
    );
  }
  return {
    async restore(temporary, target) {
      const label = await ask(['matchpathcon', '-n', '--', target], target);
      if (label === '' || label === '<<none>>') return;
      await ask(['chcon', '-h', '--', label, temporary], target);
    },
  };
}

/** SELinux labels where the running kernel enforces or reports them, none elsewhere. */
export function labelsFor(root: string, run: RunProgram): Labels {
  return existsSync(`${root}/sys/fs/selinux/enforce`) ? selinuxLabels(run) : noLabels;
}
