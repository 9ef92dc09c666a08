import { TransientError } from '@slipway/base';
import type { CliErrorCode } from './errors.ts';

/** Why a command ends that a signal stopped; whatever it was waiting for ends with it. */
export function interruptionBy(signal: NodeJS.Signals): TransientError {
  const code: CliErrorCode = 'cli.interrupted';
  return new TransientError(`run slipway: stopped by ${signal}`, { code });
}
