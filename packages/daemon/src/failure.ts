import { describeError, SlipwayError, TerminalError } from '@slipway/base';
import type { DaemonErrorCode, Failure } from './errors.ts';

/** An error of this room's catalogue. Another try is made with back-off, whatever its kind. */
export function daemonError(
  code: DaemonErrorCode,
  message: string,
  cause?: unknown,
): TerminalError {
  return new TerminalError(message, { code, cause });
}

/** `error` as the first cause that is journaled and shown; foreign codes become `otherwise`. */
export function toFailure(error: unknown, otherwise: DaemonErrorCode): Failure {
  const known = error instanceof SlipwayError && error.code.startsWith('daemon.');
  return { code: known ? error.code : otherwise, message: describeError(error) };
}

/** True for failures of the configuration or the host; those of the way to the API are only tried again. */
export function isOwnFailure(error: unknown): boolean {
  if (!(error instanceof SlipwayError) || error.kind === 'transient') return false;
  return /^(daemon|host|ignition)\./.test(error.code);
}
