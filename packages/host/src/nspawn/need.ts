import { type HostErrorCode, terminal } from '../errors.ts';
import { type RunOptions, runProgram } from '../process/run.ts';

/** Runs a program of this machine that has to succeed; its output. */
export async function need(
  code: HostErrorCode,
  argv: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const result = await runProgram(argv, options);
  if (result.exitCode === 0) return result.stdout;
  const words = result.stderr.trim().split('\n').slice(-5).join(' | ');
  throw terminal(code, `run ${argv.slice(0, 2).join(' ')}: ${words || `exit ${result.exitCode}`}`);
}
