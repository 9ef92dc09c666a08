import { hasErrors, type Issue } from '@slipway/base';
import { validateFile, yamlText } from '@slipway/bootstrap';
import type { CommandContext } from '../program.ts';
import { findingLine, loadOptions, type ReadFlags, readConfiguration } from './config-source.ts';
import { createGround } from './ground.ts';

export type ValidateFlags = ReadFlags & {
  readonly config: string;
  readonly output: 'text' | 'json' | 'yaml';
};

/** Tells all findings about a configuration; 3 when one of them is an error. Unknown fields are. */
export async function validateConfiguration(
  flags: ValidateFlags,
  context: CommandContext,
): Promise<number> {
  const { config, output } = flags;
  const text = await readConfiguration(context, flags, '--config', config);
  const ground = createGround(context, flags);
  const load = { ...loadOptions(flags), strict: true };
  const issues = await validateFile({ text, ground, load });
  const refused = hasErrors(issues);
  if (output === 'text') tellFindings(issues, config, context);
  else {
    const answer = { valid: !refused, findings: issues };
    const form = output === 'json' ? JSON.stringify(answer, undefined, 2) : yamlText(answer);
    context.output.line(form.trimEnd());
  }
  return refused ? 3 : 0;
}

function tellFindings(issues: readonly Issue[], config: string, { output }: CommandContext): void {
  for (const issue of issues) output.problem(findingLine(issue, config));
  if (!hasErrors(issues)) output.line('ok');
}
