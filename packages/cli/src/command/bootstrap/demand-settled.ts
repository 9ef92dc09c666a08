import { formatIssue, hasErrors, type Issue, UserError } from '@slipway/base';
import type { CliErrorCode } from '../../errors.ts';
import { inputName } from '../input-name.ts';
import type { CommandContext } from '../program.ts';
import { findingLine } from './config-source.ts';

/**
 * The value of a settled configuration, after everything there is to say about it was told on standard
 * error. `source` names where it comes from: the file, or `flags`.
 * @throws UserError `cli.bootstrap.configuration` when it is refused
 */
export function demandSettled<T>(
  { value, issues }: { readonly value?: T; readonly issues: readonly Issue[] },
  source: string,
  { output }: CommandContext,
): T {
  for (const issue of issues) {
    const isPlaced = issue.line !== undefined;
    output.problem(
      isPlaced ? findingLine(issue, source) : `${issue.severity}: ${formatIssue(issue)}`,
    );
  }
  if (value !== undefined && !hasErrors(issues)) return value;
  const code: CliErrorCode = 'cli.bootstrap.configuration';
  throw new UserError(`read ${inputName(source)}: it is refused for the reasons above`, { code });
}
