import { readFile } from 'node:fs/promises';
import { availableParallelism, hostname, networkInterfaces, release, totalmem } from 'node:os';
import type { HostFiles, HostPath } from '../host.ts';
import { programPath } from '../process/run.ts';
import { defaultRouteInterfaceOf } from './default-route.ts';
import type { InterfaceAddress, MachineProbe } from './machine-probe.ts';
import { portState } from './port-state.ts';
import { resolveName } from './resolve-name.ts';

export type MachineProbeOptions = {
  /** Files of the host, in whose directories programs are looked for. */
  readonly files: HostFiles;
  /** Those directories, as in `PATH`; default: those that every machine has. */
  readonly path?: string;
};

/**
 * This machine. Interfaces, routes, ports, processors and memory are those of the machine that the
 * process runs on, whatever the root of `files` is: a folder has none.
 */
export function createMachineProbe({
  files,
  path = programPath,
}: MachineProbeOptions): MachineProbe {
  return {
    hostname,
    addresses,
    defaultRouteInterface,
    processorCount: availableParallelism,
    memoryBytes: totalmem,
    effectiveUserId: () => process.geteuid?.() ?? -1,
    kernelRelease: release,
    findProgram: (name) => findProgram(files, path, name),
    port: portState,
    kernelFile: (path) => readFile(path).catch(() => undefined),
    resolve: (name) => resolveName(name),
  };
}

function addresses(): readonly InterfaceAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([interfaceName, entries = []]) =>
    entries.map(({ address, family, cidr, internal }) => ({
      interfaceName,
      address,
      family: family === 'IPv6' ? ('ipv6' as const) : ('ipv4' as const),
      prefixLength: Number(cidr?.split('/')[1] ?? (family === 'IPv6' ? 128 : 32)),
      internal,
    })),
  );
}

const routeFiles = { ipv4: '/proc/net/route', ipv6: '/proc/net/ipv6_route' } as const;

async function defaultRouteInterface(family: 'ipv4' | 'ipv6'): Promise<string | undefined> {
  // A kernel without the family has no such file.
  const text = await readFile(routeFiles[family], 'utf8').catch(() => '');
  return defaultRouteInterfaceOf(family, text);
}

async function findProgram(
  files: HostFiles,
  searched: string,
  name: string,
): Promise<HostPath | undefined> {
  for (const directory of searched.split(':')) {
    const path = `${directory}/${name}`;
    // A directory that cannot be looked into has no program that could be run.
    const stat = await files.stat(path).catch(() => undefined);
    const runnable =
      stat?.type === 'symlink' || (stat?.type === 'file' && (stat.mode & 0o111) !== 0);
    if (runnable) return path;
  }
  return undefined;
}
