/** What happens to a host that somebody may want to tell. */
export type HostEvent =
  | { readonly kind: 'rebooting'; readonly name: string; readonly reason: string }
  | { readonly kind: 'crashed'; readonly name: string; readonly cause: string };

/** A host that is switched on and off from outside. */
export interface HostPower {
  readonly name: string;
  /** Starts it; it does not join the cluster before `join`. */
  switchOn(): void;
  /** Lets it join; resolves when its Node is registered, or when it is switched off before that. */
  join(): Promise<void>;
  /** Switches it off in order; cuts the power after `timeoutMs`. Idempotent. */
  switchOff(timeoutMs: number): Promise<void>;
}

/** One line about an event. */
export function describeHostEvent(event: HostEvent): string {
  return event.kind === 'rebooting'
    ? `${event.name} reboots: ${event.reason}`
    : `${event.name} ended unexpectedly and is started again: ${event.cause}`;
}
