import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '@slipway/base';
import { formatYaml, renderIssue } from '@slipway/ignition';
import { explainRendering, type PlacedFinding, renderTexts } from '@slipway/machineconfig';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { type ConfigFile, readAccepted, reasonOf } from './config-file.ts';

export type RenderFlags = {
  readonly pool: string;
  readonly fromDir?: string;
  readonly explain?: boolean;
  readonly output: 'yaml' | 'json';
};

const refused = 3;
const poolName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const configFile = /\.(?:ya?ml|json)$/;

/** `slipway machine-config render`: the MachineConfig that nodes of a pool would get; 3 when it is refused. */
export async function render(
  named: readonly string[],
  flags: RenderFlags,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  if (!poolName.test(flags.pool)) throw usage(`${JSON.stringify(flags.pool)} is no name of a pool`);
  const names = await inputsOf(named, flags.fromDir, context);
  const files = await readAccepted(names, context);
  if (files === undefined) return refused;
  const outcome = renderTexts(flags.pool, files);
  for (const finding of outcome.findings)
    if (!isTold(finding, files)) output.problem(placedText(finding, files));
  if (outcome.kind === 'refused') return refused;
  const { object, rendered, unselected, placeOf } = outcome;
  if (flags.explain === true) {
    output.problem(explainRendering(rendered, placeOf).join('\n'));
    if (unselected.length > 0) output.problem(`not selected: ${unselected.join(', ')}`);
  } else if (unselected.length > 0 && rendered.sources.every((it) => placeOf(it) === undefined)) {
    output.problem(`note: pool ${flags.pool} selects none of ${unselected.join(', ')}`);
  }
  // Through JSON, so that members without a value are gone.
  const plain = JSON.parse(JSON.stringify(object));
  const text = flags.output === 'json' ? JSON.stringify(plain, undefined, 2) : formatYaml(plain);
  output.line(text.trimEnd());
  return 0;
}

function usage(message: string): UserError {
  const code: CliErrorCode = 'cli.usage';
  return new UserError(`render: ${message}`, { code });
}

async function inputsOf(
  named: readonly string[],
  directory: string | undefined,
  { environment }: CommandContext,
): Promise<readonly string[]> {
  if (named.length > 0 === (directory !== undefined))
    throw usage('give files, or a directory with --from-dir, and not both');
  if (directory === undefined) return named;
  const code: CliErrorCode = 'cli.machine-config.directory';
  let entries: readonly string[];
  try {
    entries = await readdir(resolve(environment.workingDirectory, directory));
  } catch (cause) {
    throw new UserError(`read directory ${directory}: ${reasonOf(cause)}`, { code });
  }
  const names = entries.filter((name) => configFile.test(name)).sort();
  if (names.length > 0) return names.map((name) => join(directory, name));
  throw new UserError(`read directory ${directory}: it has no *.yaml, *.yml or *.json`, { code });
}

/** Findings of single objects were told when their file was read. */
function isTold(finding: PlacedFinding, files: readonly ConfigFile[]): boolean {
  const file = files.find((candidate) => candidate.file === finding.file);
  return (file?.issues ?? []).some(
    ({ code, path }) => code === finding.code && path.endsWith(finding.path),
  );
}

function placedText(finding: PlacedFinding, files: readonly ConfigFile[]): string {
  const file = files.find((candidate) => candidate.file === finding.file);
  const options = file === undefined ? {} : { fileName: file.file };
  return renderIssue(finding, file?.source, options).trimEnd();
}
