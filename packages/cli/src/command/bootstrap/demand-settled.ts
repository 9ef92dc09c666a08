import { formatIssue, hasErrors, type Issue, UserError } from '@slipway/base';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';

/**
 * The value of a settled configuration, after everything there is to say about it was told on standard
 * error. `source` names where it comes from: `--config init.yaml`.
 * @throws UserError `cli.bootstrap.configuration` when it is refused
 */
export function demandSettled<T>(
  { value, issues }: { readonly value?: T; readonly issues: readonly Issue[] },
  source: string,
  { output }: CommandContext,
): T {
  for (const issue of issues) output.problem(`${issue.severity}: ${placed(issue)}`);
  if (value !== undefined && !hasErrors(issues)) return value;
  const code: CliErrorCode = 'cli.bootstrap.configuration';
  throw new UserError(`read ${source}: it is refused for the reasons above`, { code });
}

function placed(issue: Issue): string {
  const { line, column } = issue;
  return line === undefined ? formatIssue(issue) : `${line}:${column ?? 1}: ${formatIssue(issue)}`;
}
