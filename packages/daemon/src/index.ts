/** `@slipway/daemon`: the node agent. Observe, decide, plan, carry out with a journal, watch for drift. */
export { createDaemon, type DaemonOptions, defaultStateDirectory } from './daemon.ts';
export { type DaemonErrorCode, daemonErrors } from './errors.ts';
export type { Announce } from './reporter.ts';
