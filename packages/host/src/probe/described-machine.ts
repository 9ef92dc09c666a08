import type { HostPath } from '../host.ts';
import type { InterfaceAddress, MachineProbe, PortState } from './machine-probe.ts';

/** A machine by description; what is left out is that of a small healthy machine. */
export type MachineDescription = {
  /** Default `cp1`. */
  readonly hostname?: string;
  /** Default loopback and `eth0` with 10.20.0.11/24. */
  readonly addresses?: readonly InterfaceAddress[];
  /** Default `eth0` for IPv4. */
  readonly defaultRoutes?: { readonly ipv4?: string; readonly ipv6?: string };
  /** Default 2. */
  readonly processors?: number;
  /** Default 4 GiB. */
  readonly memoryBytes?: number;
  /** Default 0: root. */
  readonly userId?: number;
  /** Default `6.12.0`. */
  readonly kernelRelease?: string;
  /** Where programs are, by name; default none. */
  readonly programs?: Readonly<Record<string, HostPath>>;
  /** Ports in use; default none. */
  readonly portsInUse?: readonly number[];
  /** What is below /proc and /sys, as text or bytes; default none. */
  readonly kernelFiles?: Readonly<Record<HostPath, string | Uint8Array>>;
  /** Addresses by name; the host's own name resolves when it is in here. Default none. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
};

const loopback: InterfaceAddress = {
  interfaceName: 'lo',
  address: '127.0.0.1',
  family: 'ipv4',
  prefixLength: 8,
  internal: true,
};

const ethernet: InterfaceAddress = {
  interfaceName: 'eth0',
  address: '10.20.0.11',
  family: 'ipv4',
  prefixLength: 24,
  internal: false,
};

/** A machine that is as it is described: for tests, and for what a dry run has to assume. */
export function describedMachine(description: MachineDescription = {}): MachineProbe {
  const { addresses = [loopback, ethernet], defaultRoutes = { ipv4: 'eth0' } } = description;
  const { programs = {}, portsInUse = [], names = {}, kernelFiles = {} } = description;
  return {
    hostname: () => description.hostname ?? 'cp1',
    addresses: () => addresses,
    defaultRouteInterface: async (family) => defaultRoutes[family],
    processorCount: () => description.processors ?? 2,
    memoryBytes: () => description.memoryBytes ?? 4 * 1024 ** 3,
    effectiveUserId: () => description.userId ?? 0,
    kernelRelease: () => description.kernelRelease ?? '6.12.0',
    findProgram: async (name) => (Object.hasOwn(programs, name) ? programs[name] : undefined),
    port: async (port, address = ''): Promise<PortState> => {
      if (portsInUse.includes(port)) return { free: false, reason: 'EADDRINUSE' };
      const isOwn = ['', '0.0.0.0', '::', ...addresses.map((one) => one.address)].includes(address);
      return isOwn ? { free: true } : { free: false, reason: 'EADDRNOTAVAIL' };
    },
    kernelFile: async (path) =>
      Object.hasOwn(kernelFiles, path) ? Buffer.from(kernelFiles[path] ?? '') : undefined,
    resolve: async (name) => (Object.hasOwn(names, name) ? (names[name] ?? []) : []),
  };
}
