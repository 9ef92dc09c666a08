import { TerminalError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import type { Refusal } from './judge-pair.ts';

/** One error for all that cannot be used, so that it can be mended at once. */
export function unusable(refusals: readonly Refusal[]): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.certificates.unusable';
  const each = refusals.map(({ reason, remedy }) => `${reason}; ${remedy}`);
  const text = each.length === 1 ? each[0] : `\n- ${each.join('\n- ')}`;
  return new TerminalError(`use certificates: ${text}`, { code });
}
