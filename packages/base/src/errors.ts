/** Why an operation failed, by who can do something about it. The CLI maps each to an exit code. */
export type ErrorKind = 'user' | 'preflight' | 'transient' | 'terminal' | 'bug';

/** What every slipway error carries. `code` is stable, unique and has a runbook or catalogue entry. */
export type ErrorOptions = { readonly code: string; readonly cause?: unknown };

/**
 * The root of all errors that slipway raises itself.
 * Wording of `message`: lower case, `action object: cause`.
 */
export abstract class SlipwayError extends Error {
  abstract readonly kind: ErrorKind;
  readonly code: string;

  constructor(message: string, options: ErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
  }
}

/** The input is wrong; nothing was changed. Exit code 3. */
export class UserError extends SlipwayError {
  readonly kind = 'user';
}

/** The machine or cluster is not in a state in which the command may start. Exit code 2. */
export class PreflightError extends SlipwayError {
  readonly kind = 'preflight';
}

/** Worth another try: time-outs, conflicts, a peer that is starting. Exit code 1. */
export class TransientError extends SlipwayError {
  readonly kind = 'transient';
}

/** Reported and not retried: another try gives the same answer. Exit code 1. */
export class TerminalError extends SlipwayError {
  readonly kind = 'terminal';
}

/** A broken invariant of our own. Exit code 1, with the stack. */
export class BugError extends SlipwayError {
  readonly kind = 'bug';
}

/** `error` as one line, causes included (`a: b: c`), without repeating a cause that is already worded. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause === undefined) return error.message;
  const cause = describeError(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
