import { UserError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';

/** A command line that cannot be understood, with what tells how it can. */
export class UsageError extends UserError {
  /** As a sentence without its end: see `slipway certs renew --help`. */
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    const code: CliErrorCode = 'cli.usage';
    super(message, { code });
    this.remedy = remedy;
  }
}
