/**
 * `@slipway/host`: the only room that touches a machine. Knows files, systemd, accounts and boot;
 * knows nothing of Kubernetes.
 */
export { type HostErrorCode, hostErrorCodes } from './errors.ts';
export { parentPath, pathComponents } from './file/host-path.ts';
export { createRootFolderFiles, type RootFolderFilesOptions } from './file/root-folder-files.ts';
export type {
  Account,
  Accounts,
  Boot,
  FileAttributes,
  FileStat,
  FileType,
  Group,
  Host,
  HostFiles,
  HostPath,
  StagedFile,
  Systemd,
  UnitStatus,
} from './host.ts';
export { fleetOf, type NspawnFleet } from './nspawn/fleet.ts';
export type { Machine } from './nspawn/machine.ts';
export {
  createNspawnMachine,
  machineBundlePath,
  machineNodePath,
  type NspawnMachineOptions,
} from './nspawn/nspawn-machine.ts';
export { closeNspawn, type PrepareOptions, prepareNspawn, sweepNspawn } from './nspawn/prepare.ts';
export { probeNspawn } from './nspawn/probe.ts';
export { createMachineProbe, type MachineProbeOptions } from './probe/create-machine-probe.ts';
export { describedMachine, type MachineDescription } from './probe/described-machine.ts';
export type { InterfaceAddress, MachineProbe, PortState } from './probe/machine-probe.ts';
export { lockFolder } from './process/folder-lock.ts';
export {
  programPathOf,
  type RunOptions,
  type RunProgram,
  type RunResult,
  runProgram,
} from './process/run.ts';
export { createRealHost, type RealHostOptions } from './real-host.ts';
export {
  createSimulatedHost,
  type SimulatedHost,
  type SimulatedHostOptions,
} from './simulated/simulated-host.ts';
