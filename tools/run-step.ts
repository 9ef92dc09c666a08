import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** The checkout's root; every tool runs there. */
export const projectRoot = resolve(import.meta.dirname, '..');

/** Runs one step with inherited output and returns its exit code. */
export function runStep(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): number {
  const [command = '', ...rest] = argv;
  const result = spawnSync(command, rest, {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** A program of node_modules/.bin, as an argument array's first part. */
export function localProgram(name: string): string {
  return resolve(projectRoot, 'node_modules/.bin', name);
}
