/**
 * How one reconciliation ended. A thrown error is the fourth outcome: a TerminalError is logged and not
 * retried until the next event; anything else is retried with back-off.
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'requeue'; readonly afterMs: number };

/** Brings the object under `key` one step nearer to what is declared; reads state, never the event. */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<Outcome>;
