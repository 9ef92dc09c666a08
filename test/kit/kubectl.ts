import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ProgramResult, runProgram } from './run-program.ts';

/** Path of the real kubectl, or undefined when this machine has none. */
export function findKubectl(): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, 'kubectl');
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** Why tests that need kubectl cannot run here; false: they can. Fits `skip`. */
export const withoutKubectl: string | false =
  findKubectl() === undefined ? 'no kubectl on the PATH' : false;

/** kubectl of one cluster, with a cache of its own so that no earlier discovery is believed. */
export class Kubectl {
  readonly #kubeconfig: string;
  readonly #cache: string;

  constructor(kubeconfig: string, cacheDirectory: string) {
    this.#kubeconfig = kubeconfig;
    this.#cache = cacheDirectory;
  }

  /** Runs and returns exit code and output. */
  try(
    args: readonly string[],
    input?: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ProgramResult> {
    const program = findKubectl();
    if (program === undefined) throw new Error('no kubectl on the PATH');
    return runProgram(
      [program, `--kubeconfig=${this.#kubeconfig}`, `--cache-dir=${this.#cache}`, ...args],
      {
        env,
        ...(input === undefined ? {} : { input }),
      },
    );
  }

  /** Runs, throws when it fails, and returns standard output. */
  async run(args: readonly string[], input?: string): Promise<string> {
    const result = await this.try(args, input);
    if (result.code !== 0) {
      throw new Error(
        `kubectl ${args.join(' ')}: exit ${result.code}: ${result.stderr}${result.stdout}`,
      );
    }
    return result.stdout;
  }

  /** `get … -o json`. */
  async json<T>(args: readonly string[]): Promise<T> {
    return JSON.parse(await this.run([...args, '-o', 'json']));
  }
}
