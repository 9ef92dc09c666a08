import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, answerPieces } from './answer-pieces.ts';
import type { Configuration } from './configurations.ts';
import type { Pieces } from './recording.ts';
import { stepsOf } from './steps.ts';
import { treePieces } from './tree-pieces.ts';

/** Runs one command of the program; `environment` is all that it gets. */
export type RunStep = (
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
) => Answer | Promise<Answer>;

/** Directories of CA certificates that become volumes of the API server where they exist. */
export const certificateDirectories: readonly string[] = [
  '/etc/ca-certificates',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/usr/local/share/ca-certificates',
  '/usr/share/ca-certificates',
];

/** Takes a machine whose root is `root` through the steps of a configuration and reads what came of it. */
export async function runSteps(
  configuration: Configuration,
  root: string,
  run: RunStep,
): Promise<Pieces> {
  let pieces: Pieces = {};
  for (const step of stepsOf(configuration)) {
    for (const path of step.removeFirst ?? []) rmSync(join(root, path));
    const answer = await run(step.argv, configuration.environment);
    pieces = { ...pieces, ...answerPieces(step, answer, configuration.text) };
  }
  return configuration.kind === 'init'
    ? { ...pieces, ...treePieces(root), 'machine/directories': presentDirectories(root) }
    : pieces;
}

function presentDirectories(root: string): readonly string[] {
  return certificateDirectories.filter((path) => existsSync(join(root, path)));
}
