import type { JoinSettings } from '../host-program/join-settings.ts';

/** What a worker is started with: one simulated host. */
export type HostWorkerSettings = JoinSettings & {
  /** Holds `root/` and the log. */
  readonly directory: string;
  /** Whether this start is a new boot: after a reboot, or after the host was switched off. */
  readonly reboot: boolean;
};

/** What a worker says. `failed` is followed by its end. */
export type HostReport =
  /** Everything is loaded; waits for `go`. */
  | { readonly kind: 'loaded' }
  /** The Node is registered and Ready. */
  | { readonly kind: 'registered' }
  /** The host asks to be started again. */
  | { readonly kind: 'reboot'; readonly reason: string }
  | { readonly kind: 'stopped' };

/** What a worker is told. */
export type HostOrder =
  | { readonly kind: 'go' }
  /** Switch the host off in order and report `stopped`. */
  | { readonly kind: 'stop' };
