import { BugError } from '@slipway/base';
import { tryDecodeContents } from './decode-contents.ts';
import { ignitionErrors } from './errors.ts';
import type { IgnitionConfig, IgnitionFile, IgnitionOwner } from './model.ts';

/** Permission bits of a file that declares none. */
export const defaultFileMode = 0o644;

/** Directory of unit files and drop-ins on a host. */
export const unitDirectory = '/etc/systemd/system';

/** Permission bits that the file gets. */
export function fileMode(file: IgnitionFile): number {
  return file.mode ?? defaultFileMode;
}

/** Owner that the file gets: root where none is declared. An empty name counts as absent. */
export function fileUser(file: IgnitionFile): IgnitionOwner {
  return effectiveOwner(file.user);
}

/** Group that the file gets: root where none is declared. An empty name counts as absent. */
export function fileGroup(file: IgnitionFile): IgnitionOwner {
  return effectiveOwner(file.group);
}

function effectiveOwner(owner: IgnitionOwner | undefined): IgnitionOwner {
  if (owner?.name !== undefined && owner.name !== '') return { name: owner.name };
  return { id: owner?.id ?? 0 };
}

const decoded = new WeakMap<IgnitionFile, Uint8Array>();

/**
 * Bytes of a file of a validated config; decoded at the first call and kept as long as the file object lives.
 *
 * @throws BugError `ignition.contents-not-validated` for contents that validation refuses.
 */
export function decodeContents(file: IgnitionFile): Uint8Array {
  const known = decoded.get(file);
  if (known !== undefined) return known;
  const result = tryDecodeContents(file.contents);
  if (!result.ok) {
    throw new BugError(`decode contents of ${file.path}: ${result.code}`, {
      code: ignitionErrors.contentsNotValidated,
    });
  }
  decoded.set(file, result.bytes);
  return result.bytes;
}

/** Keeps the bytes that validation has decoded anyway. */
export function rememberContents(file: IgnitionFile, bytes: Uint8Array): void {
  decoded.set(file, bytes);
}

/** Path of a unit's file on a host. */
export function unitPath(unitName: string): string {
  return `${unitDirectory}/${unitName}`;
}

/** Path of a unit's drop-in on a host. */
export function dropinPath(unitName: string, dropinName: string): string {
  return `${unitDirectory}/${unitName}.d/${dropinName}`;
}

/** Text of the `authorized_keys` file of `boot`; `undefined` when the config does not manage the keys. */
export function authorizedKeysText(config: IgnitionConfig): string | undefined {
  const keys = config.sshAuthorizedKeys;
  if (keys === undefined) return undefined;
  return keys.map((key) => `${key.trim()}\n`).join('');
}
