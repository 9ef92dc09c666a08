/** What happens to a host that somebody may want to tell. */
export type HostEvent =
  | { readonly kind: 'rebooting'; readonly name: string; readonly reason: string }
  | { readonly kind: 'rebooted'; readonly name: string }
  | { readonly kind: 'crashed'; readonly name: string; readonly cause: string };

/** A host that is switched on and off from outside. */
export interface HostPower {
  readonly name: string;
  /** Starts it; it does not join the cluster before `join`. */
  switchOn(): void;
  /** Lets it join; resolves when it is about to be, or when it is switched off before that. */
  join(): Promise<void>;
  /** Switches it off in order; cuts the power after `timeoutMs`. Idempotent. */
  switchOff(timeoutMs: number): Promise<void>;
}

/** One line about an event. */
export function describeHostEvent(event: HostEvent): string {
  switch (event.kind) {
    case 'rebooting':
      return `${event.name} reboots: ${event.reason}`;
    case 'rebooted':
      return `${event.name} is up again after a reboot`;
    case 'crashed':
      return `${event.name} ended unexpectedly and is started again: ${event.cause}`;
  }
}
