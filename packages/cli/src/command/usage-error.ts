import { UserError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';

/** A command line that cannot be understood, with the command that it names: its help tells how. */
export class UsageError extends UserError {
  /** As typed: `slipway certs renew`. */
  readonly command: string;

  constructor(message: string, command: string) {
    const code: CliErrorCode = 'cli.usage';
    super(message, { code });
    this.command = command;
  }
}
