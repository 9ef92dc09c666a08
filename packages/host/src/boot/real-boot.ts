import { terminal } from '../errors.ts';
import type { Boot } from '../host.ts';
import type { RunProgram, RunResult } from '../process/run.ts';
import { bootIdPath, commandLinePath, readKernelFile } from './kernel-files.ts';

/**
 * Boot of a real host. The request is only queued (`--no-block`): systemd stops this process like
 * any other service, and a call that waited for its own end would be counted as failed.
 * `run` runs a program of the host.
 */
export function createRealBoot(root: string, run: RunProgram): Boot {
  async function ask(argv: readonly string[]): Promise<RunResult> {
    return await run(argv, { timeoutMs: 30_000 });
  }
  return {
    id: () => readKernelFile(root, bootIdPath),
    kernelCommandLine: () => readKernelFile(root, commandLinePath),
    async reboot(reason) {
      const message = reason.replaceAll(/[^\x20-\x7e]+/g, ' ');
      const asked = await ask(['systemctl', '--no-block', `--message=${message}`, 'reboot']);
      if (asked.exitCode === 0) return;
      // A pending job or a held inhibitor refuses the first way; this one replaces whatever is queued.
      const job = ['--no-block', '--job-mode=replace-irreversibly', 'start', 'reboot.target'];
      const forced = await ask(['systemctl', ...job]);
      if (forced.exitCode === 0) return;
      throw terminal(
        'host.boot.refused',
        `reboot host: ${[asked, forced].map((result) => result.stderr.trim()).join('; ')}`,
      );
    },
  };
}
