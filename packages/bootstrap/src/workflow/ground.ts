import type { Clock, Logger } from '@slipway/base';
import type { HostFiles, MachineProbe, RunProgram, Systemd } from '@slipway/host';

/**
 * Everything that bootstrap touches. The CLI makes one for the machine or for a `--rootfs`; a dry run
 * gets one whose files are redirected into a folder and that has no systemd.
 */
export type Ground = {
  /** Files of the host; every path as the host sees it. */
  readonly files: HostFiles;
  /** What the machine is and has. */
  readonly machine: MachineProbe;
  /** Undefined where no unit may be touched: under a `--rootfs`, or in a dry run. */
  readonly systemd?: Systemd;
  /** Undefined where no program may be run. */
  readonly run?: RunProgram;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Environment variables of the process: proxies go into static pods. */
  readonly variables: Readonly<Record<string, string | undefined>>;
};

/** What a command tells its user while it works; kubeadm's form `[phase] text`. */
export interface Reporter {
  phase(phase: string, text: string): void;
  /** Something to know or act on. */
  problem(text: string): void;
  /** Part of the answer. */
  line(text?: string): void;
}
