import type { RunProgram } from '../process/run.ts';

/** A machine that can be treated roughly: what a test or `slipway up` does to hosts from outside. */
export interface Machine {
  /** Host name. */
  readonly name: string;
  /** IPv4 address on the fleet's bridge. */
  readonly address: string;
  /** The machine's `/` as seen from this computer. Its `/run`, `/tmp` and `/proc` are its own and not in here. */
  readonly rootPath: string;
  /** Boots. Resolves when init runs; `waitReady` waits for the end of the boot. */
  start(): Promise<void>;
  /** Resolves when the boot is over, failed units or not. */
  waitReady(): Promise<void>;
  /** Shuts down in order, with the power cut as the last means. */
  stop(): Promise<void>;
  /** Ends everything in the machine at once. */
  powerCut(): Promise<void>;
  /** Asks the machine to reboot and waits until it is ready again. */
  reboot(): Promise<void>;
  /**
   * Resolves after the next boot that the machine asks for itself, ready again; rejects when it goes
   * off instead. Call it before the cause.
   */
  nextBoot(): Promise<void>;
  /** Runs a program in the machine as root, outside of its services. */
  readonly exec: RunProgram;
  /** The machine's boot id, empty while it is off. */
  bootId(): Promise<string>;
  /** Cuts or connects its network cable; a reboot connects it. */
  connect(state: 'up' | 'down'): Promise<void>;
  /** Stops, and lets go of everything but its files: a later `createNspawnMachine` goes on with them. */
  release(): Promise<void>;
  /** As `release`, and removes the files. */
  destroy(): Promise<void>;
}
