import { UserError } from '@slipway/base';
import { explainCode } from '@slipway/machineconfig';
import type { CliErrorCode } from '../../errors.ts';
import type { Output } from '../../output.ts';

/**
 * `slipway machine-config explain`.
 *
 * @throws UserError `cli.machine-config.unknown-code` with the code that was probably meant.
 */
export function explain(wanted: string, output: Output): void {
  const explanation = explainCode(wanted);
  if (explanation.kind === 'known') {
    output.line(explanation.text.trimEnd());
    return;
  }
  const { nearest } = explanation;
  const near = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const code: CliErrorCode = 'cli.machine-config.unknown-code';
  throw new UserError(`explain ${wanted}: there is no such code${near}`, { code });
}
