/**
 * A machine, as far as slipway touches one. Two implementations keep one contract (see
 * `contract/`): the real host and the simulated host. Every path is absolute as the host sees it and
 * is resolved inside the host's root; no symlink leads out of it.
 */
export interface Host {
  readonly files: HostFiles;
  readonly systemd: Systemd;
  readonly accounts: Accounts;
  readonly boot: Boot;
}

/** Absolute path as the host sees it: `/etc/chrony.conf`. */
export type HostPath = string;

export type FileType = 'file' | 'directory' | 'symlink' | 'other';

/** What `lstat` says. `mode` holds the twelve permission bits. */
export type FileStat = {
  readonly type: FileType;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
};

export type FileAttributes = { readonly mode: number; readonly uid: number; readonly gid: number };

/** A complete, synced temporary file that waits beside its target for the rename. */
export type StagedFile = { readonly path: HostPath; readonly temporary: HostPath };

export interface HostFiles {
  /** Of the path itself, symlinks not followed; undefined when it does not exist. */
  stat(path: HostPath): Promise<FileStat | undefined>;
  /** Content of a regular file; never follows a symlink at the last component. */
  read(path: HostPath): Promise<Uint8Array>;
  /** Target of a symlink, as written. */
  readLink(path: HostPath): Promise<string>;
  /** Names in a directory, sorted; empty when it does not exist. */
  list(path: HostPath): Promise<readonly string[]>;
  /** Writes a temporary file in the target's directory: owner and mode set, label restored, fsynced. */
  stage(path: HostPath, content: Uint8Array, attributes: FileAttributes): Promise<StagedFile>;
  /** Renames a staged file over its target and syncs the directory: old or new, never a mixture. */
  commit(staged: StagedFile): Promise<void>;
  /** Removes a staged file that will not be committed; absent is fine. */
  discard(staged: StagedFile): Promise<void>;
  /** `stage` and `commit` in one. */
  write(path: HostPath, content: Uint8Array, attributes: FileAttributes): Promise<void>;
  /** Creates or atomically replaces a symlink. */
  symlink(path: HostPath, target: string): Promise<void>;
  /** Changes mode and owner of an existing file or directory, symlinks not followed. */
  setAttributes(path: HostPath, attributes: FileAttributes): Promise<void>;
  /** Removes a file or symlink and syncs the directory; absent is fine. */
  remove(path: HostPath): Promise<void>;
  /** Creates the directory and its missing parents; returns those it created, outermost first. */
  makeDirectory(path: HostPath, attributes: FileAttributes): Promise<readonly HostPath[]>;
  /** Removes an empty directory; absent or not empty is fine and returns false. */
  removeDirectory(path: HostPath): Promise<boolean>;
  /**
   * Removes temporary files that an earlier process left in this directory (a crash between `stage`
   * and `commit`) and returns them. Files staged by this process and not yet committed stay.
   */
  removeStaleTemporaries(directory: HostPath): Promise<readonly HostPath[]>;
  /** Why files cannot be written into this directory (or, where missing, into its nearest parent); undefined: they can. */
  writeRefusal(directory: HostPath): Promise<string | undefined>;
  /** Free bytes of the file system that holds the path or its nearest existing parent. */
  freeBytes(path: HostPath): Promise<number>;
  /**
   * Calls `onChange` after something happened at, or to a parent of, one of `paths` (which need not exist).
   * Events are hints: they may be late, repeated or for a neighbour, never missing. Closing is disposal.
   */
  watch(paths: readonly HostPath[], onChange: (path: HostPath) => void): Promise<AsyncDisposable>;
}

/** What systemd says of a unit, in systemd's own words (`systemctl show`). */
export type UnitStatus = {
  /** `loaded`, `not-found`, `masked`, `bad-setting`, `error`. */
  readonly loadState: string;
  /** `active`, `inactive`, `failed`, `activating`, … */
  readonly activeState: string;
  readonly subState: string;
  /** `enabled`, `disabled`, `static`, `masked`, …; empty when there is no unit file. */
  readonly unitFileState: string;
  /** 32 hex digits that change with each start; empty when never started. */
  readonly invocationId: string;
  /** True when the unit's files changed since they were loaded. */
  readonly needDaemonReload: boolean;
  readonly canReload: boolean;
};

/** systemd, by its own verbs. A failing verb throws a TerminalError with systemd's words and the unit's last result. */
export interface Systemd {
  daemonReload(): Promise<void>;
  /** `enable`, `disable`, `mask`, `unmask` and `preset` change links only; they start and stop nothing. */
  enable(unit: string): Promise<void>;
  disable(unit: string): Promise<void>;
  mask(unit: string): Promise<void>;
  unmask(unit: string): Promise<void>;
  preset(unit: string): Promise<void>;
  start(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  restart(unit: string): Promise<void>;
  reload(unit: string): Promise<void>;
  status(unit: string): Promise<UnitStatus>;
}

export type Account = {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: HostPath;
};
export type Group = { readonly name: string; readonly gid: number };

/** Users and groups of the host, from its own /etc/passwd and /etc/group. */
export interface Accounts {
  user(nameOrId: string | number): Promise<Account | undefined>;
  group(nameOrId: string | number): Promise<Group | undefined>;
}

export interface Boot {
  /** Changes with every boot. */
  id(): Promise<string>;
  /** The kernel's command line of this boot. */
  kernelCommandLine(): Promise<string>;
  /**
   * Asks the machine to reboot. Resolves when the request is accepted; the process is ended by the
   * machine some time later, so the caller must do nothing more than wait.
   */
  reboot(reason: string): Promise<void>;
}
