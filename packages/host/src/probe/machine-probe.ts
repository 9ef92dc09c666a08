import type { HostPath } from '../host.ts';

/** An address of a network interface. */
export type InterfaceAddress = {
  readonly interfaceName: string;
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefixLength: number;
  /** Loopback. */
  readonly internal: boolean;
};

/** Whether a TCP port can be listened on. */
export type PortState =
  | { readonly free: true }
  | {
      readonly free: false;
      /** The system's reason: `EADDRINUSE`. */
      readonly reason: string;
    };

/** What a machine is and has, read and never changed. Tests describe a machine with `describedMachine`. */
export interface MachineProbe {
  hostname(): string;
  addresses(): readonly InterfaceAddress[];
  /** The interface that the default route of a family leaves by; undefined when there is none. */
  defaultRouteInterface(family: 'ipv4' | 'ipv6'): Promise<string | undefined>;
  processorCount(): number;
  memoryBytes(): number;
  effectiveUserId(): number;
  kernelRelease(): string;
  /** Where the program is in the PATH of the host; undefined when it is not there. */
  findProgram(name: string): Promise<HostPath | undefined>;
  /** Whether the port can be listened on: at `address`, or at every address when none is given. */
  port(port: number, address?: string): Promise<PortState>;
  /**
   * What the kernel tells in a file below /proc or /sys; undefined when there is no such file. The kernel
   * is the machine's, whatever folder is taken for its root.
   */
  kernelFile(path: HostPath): Promise<Uint8Array | undefined>;
  /** Addresses that a name resolves to; empty when it does not. */
  resolve(name: string): Promise<readonly string[]>;
}
