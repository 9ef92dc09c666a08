/**
 * The typed model of the supported part of Ignition 3.4.0. What is absent in the document is absent
 * here: defaults are applied by the accessors of `effective.ts`, so that a merge can tell "not said" from
 * "said to be the default".
 */

/** The only version that is accepted. */
export const ignitionVersion = '3.4.0';

/** Account whose SSH keys are managed, and the only one. */
export const managedUserName = 'boot';

/** An owner by number or by name, never both. */
export type IgnitionOwner = { readonly id?: number; readonly name?: string };

/** Where a file's bytes come from. Replaced as a unit by a merge. */
export type IgnitionContents = {
  /** A `data:` URL; absent or empty means an empty file. */
  readonly source?: string;
  /** How the decoded source is compressed. Default none. */
  readonly compression?: '' | 'gzip';
  /** Expected digest of the decompressed bytes. */
  readonly verification?: { readonly hash?: string };
};

/** A file; its key in merges is `path`. */
export type IgnitionFile = {
  /** Absolute and clean. */
  readonly path: string;
  /** Permission bits, 0 to 0o777. Default 0o644. */
  readonly mode?: number;
  /** Default root. */
  readonly user?: IgnitionOwner;
  /** Default root. */
  readonly group?: IgnitionOwner;
  readonly overwrite?: boolean;
  readonly contents?: IgnitionContents;
};

/** A drop-in of a unit; its key in merges is `name`. */
export type IgnitionDropin = {
  /** File name ending in `.conf`. */
  readonly name: string;
  /** Absent leaves the drop-in alone; empty removes it. */
  readonly contents?: string;
};

/** A systemd unit; its key in merges is `name`. */
export type IgnitionUnit = {
  readonly name: string;
  /** Absent leaves the enablement as it is. */
  readonly enabled?: boolean;
  /** Absent leaves the mask as it is. */
  readonly mask?: boolean;
  /** Text of the unit file; absent or empty writes none. */
  readonly contents?: string;
  readonly dropins: readonly IgnitionDropin[];
};

/** A decoded, validated Ignition config. */
export type IgnitionConfig = {
  readonly version: typeof ignitionVersion;
  readonly files: readonly IgnitionFile[];
  readonly units: readonly IgnitionUnit[];
  /**
   * Keys of user `boot`. `undefined`: the config does not mention the user, so its keys are not managed;
   * an empty list: the user is mentioned without keys.
   */
  readonly sshAuthorizedKeys?: readonly string[];
};

/** The config that says nothing: identity of a merge. */
export const emptyIgnitionConfig: IgnitionConfig = {
  version: ignitionVersion,
  files: [],
  units: [],
};
