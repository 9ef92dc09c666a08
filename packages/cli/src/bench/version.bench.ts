import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type Figure = { readonly name: string; readonly value: number; readonly unit: string };

export type BenchContext = { /** Path of the bundled slipway. */ readonly program: string };

const run = promisify(execFile);
const rounds = 15;

/** Wall time of `slipway version`, process start included: the least of several runs. */
export async function bench({ program }: BenchContext): Promise<readonly Figure[]> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await run(process.execPath, [program, 'version']);
    least = Math.min(least, performance.now() - started);
  }
  return [{ name: 'cli.version_ms', value: Math.round(least * 10) / 10, unit: 'ms' }];
}
