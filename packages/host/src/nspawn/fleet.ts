import { createHash } from 'node:crypto';
import { join } from 'node:path';

/**
 * The machines of one state folder. Everything they occupy outside of it (cgroups, interfaces,
 * names of machines) carries a prefix made from the folder's path, so that several fleets live on
 * one computer and each finds the leftovers of its own crash, and no others.
 */
export type NspawnFleet = {
  readonly stateDirectory: string;
  /** Folder of the base image; machines write into a layer of their own above it. */
  readonly imagePath: string;
  /** At most 6 characters: an interface name has room for 15, with a prefix and a number. */
  readonly prefix: string;
  /** Name of the bridge that connects the machines and this computer, and nothing else. */
  readonly bridge: string;
  /** First three numbers of the addresses: `10.231.77`. */
  readonly subnet: string;
  /** Address of this computer for the machines: what an API server has to listen on. */
  readonly hostAddress: string;
};

/** The names that belong to a state folder. */
export function fleetOf(stateDirectory: string, imagePath: string): NspawnFleet {
  const digest = createHash('sha256').update(stateDirectory).digest();
  const tag = digest.toString('hex').slice(0, 4);
  // 10.231.0.0/16: private, and far from what clusters and container engines use by default.
  const subnet = `10.231.${1 + ((digest[2] ?? 0) % 250)}`;
  return {
    stateDirectory,
    imagePath,
    prefix: `s${tag}-`,
    bridge: `sbr-${tag}`,
    subnet,
    hostAddress: `${subnet}.1`,
  };
}

/** Name of machine number `index` for systemd-nspawn, cgroups and interfaces: at most 12 characters. */
export function machineId(fleet: NspawnFleet, index: number): string {
  return `${fleet.prefix}m${index}`;
}

/** Address of machine number `index` (from 1). */
export function machineAddress(fleet: NspawnFleet, index: number): string {
  return `${fleet.subnet}.${10 + index}`;
}

/** Folder of a machine's files. */
export function machineDirectory(fleet: NspawnFleet, index: number): string {
  return join(fleet.stateDirectory, `m${index}`);
}
