/**
 * `@slipway/base`: errors, issues, log, clock, lifecycle, back-off and JSON values.
 * No I/O, no Node modules, nothing of Kubernetes or of machines. A closed list.
 */
export { type BackoffOptions, backoffDelayMs } from './backoff.ts';
export { type Clock, systemClock, VirtualClock } from './clock.ts';
export { type Component, startAll, stopAll } from './component.ts';
export {
  BugError,
  describeError,
  type ErrorKind,
  type ErrorOptions,
  PreflightError,
  SlipwayError,
  TerminalError,
  TransientError,
  UserError,
} from './errors.ts';
export { formatIssue, hasErrors, type Issue, type Severity } from './issue.ts';
export {
  canonicalJson,
  compareBytes,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  namesPrototype,
} from './json.ts';
export {
  createLogger,
  type LogFields,
  type Logger,
  type LogLevel,
  type LogSink,
  silentLogger,
} from './log.ts';
export { Secret } from './secret.ts';
