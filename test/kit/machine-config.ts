import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ProgramResult, runProgram } from './run-program.ts';
import { slipwayProgram } from './try-cluster.ts';

export const examplesDirectory = resolve(import.meta.dirname, '../../examples');

/** Path of a sample of `examples/`. */
export function example(name: string): string {
  return join(examplesDirectory, name);
}

/** Runs `slipway mc …` as a user would, from the bundle. */
export function machineConfig(
  argv: readonly string[],
  options: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ProgramResult> {
  return runProgram([process.execPath, slipwayProgram, 'mc', ...argv], options);
}

const directories: string[] = [];
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A new directory below the system's temporary one; it is removed when the tests end. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-mc-'));
  directories.push(directory);
  return directory;
}

/** Renders files for a pool into a new file, as JSON, and gives its path. */
export async function renderedFile(pool: string, files: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await machineConfig([
    'render',
    '--pool',
    pool,
    '-o',
    'json',
    ...files,
  ]);
  if (code !== 0) throw new Error(`render ended with ${code}:\n${stderr}`);
  const path = join(newDirectory(), 'rendered.json');
  writeFileSync(path, stdout);
  return path;
}

/** A file with one MachineConfig. */
export function configFile(name: string, spec: object, role = 'worker'): string {
  const path = join(newDirectory(), `${name}.json`);
  const object = {
    apiVersion: 'machineconfiguration.alauda.io/v1alpha1',
    kind: 'MachineConfig',
    metadata: { name, labels: { 'machineconfiguration.alauda.io/role': role } },
    spec,
  };
  writeFileSync(path, JSON.stringify(object, undefined, 2));
  return path;
}
