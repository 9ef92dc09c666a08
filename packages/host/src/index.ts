/**
 * `@slipway/host`: the only room that touches a machine. Knows files, systemd, accounts and boot;
 * knows nothing of Kubernetes.
 */
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
