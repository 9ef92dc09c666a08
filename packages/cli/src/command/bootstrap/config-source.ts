import { text as readAll } from 'node:stream/consumers';
import { formatIssue, type Issue } from '@slipway/base';
import type { LoadOptions } from '@slipway/bootstrap';
import { inputName } from '../input-name.ts';
import type { CommandContext } from '../program.ts';
import type { GroundFlags } from './ground.ts';
import { readInput } from './input-file.ts';

/** Flags that say how a configuration is read. */
export type ReadFlags = GroundFlags & {
  readonly allowExperimentalApi?: boolean;
  readonly strict?: boolean;
};

export function loadOptions(flags: ReadFlags): LoadOptions {
  return {
    strict: flags.strict === true,
    allowExperimental: flags.allowExperimentalApi === true,
  };
}

/**
 * Text of a configuration that a flag names, or standard input for `-`.
 * @throws UserError `cli.bootstrap.input`
 */
export function readConfiguration(
  context: CommandContext,
  flags: GroundFlags,
  flag: string,
  path: string,
): Promise<string> {
  return path === '-' ? readAll(process.stdin) : readInput(context, flags, flag, path);
}

/** `kubeadm.yaml:3:5: error: path: message (hint)`, as compilers have it; `-` is `<stdin>`. */
export function findingLine(issue: Issue, file: string): string {
  const { line, column, severity } = issue;
  const name = inputName(file);
  const place = line === undefined ? name : `${name}:${line}:${column ?? 1}`;
  return `${place}: ${severity}: ${formatIssue(issue)}`;
}
