import { BugError, SlipwayError } from '@slipway/base';
import { UsageError } from './command/usage-error.ts';
import { cliErrors } from './errors.ts';

/** Exit code of a failed command: 3 bad usage or input, 2 preflight, 1 everything else. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof SlipwayError)) return 1;
  if (error.kind === 'user') return 3;
  return error.kind === 'preflight' ? 2 : 1;
}

/**
 * What is told about a failure: what and where, why, what to do, and the code to search for. `remedies`:
 * by code, those of other rooms than this one.
 */
export function describeFailure(
  error: unknown,
  remedies: Readonly<Record<string, string>> = {},
): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const lines = [`error: ${error.message}`];
  for (const cause of causes(error)) lines.push(`  why: ${cause}`);
  const remedy = remedyOf(error, remedies);
  if (remedy !== undefined) lines.push(`  what to do: ${remedy}`);
  if (error instanceof SlipwayError) lines.push(`  code: ${error.code}`);
  // A fault of our own: the stack is what helps.
  if (!(error instanceof SlipwayError) || error instanceof BugError) {
    lines.push(error.stack ?? '', '  this is a fault of slipway: please report it');
  }
  return lines.join('\n');
}

function causes(error: Error): readonly string[] {
  const found: string[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if (!error.message.includes(cause.message)) found.push(cause.message);
  }
  return found;
}

function remedyOf(error: Error, remedies: Readonly<Record<string, string>>): string | undefined {
  if (!(error instanceof SlipwayError)) return undefined;
  if (error instanceof UsageError) return error.remedy;
  const entry = Object.entries(cliErrors).find(([code]) => code === error.code);
  if (entry !== undefined) return entry[1].remedy;
  return Object.hasOwn(remedies, error.code) ? remedies[error.code] : undefined;
}
