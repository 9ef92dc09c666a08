import { constants } from 'node:fs';
import { chmod, open, rmdir } from 'node:fs/promises';
import { errnoOf, fileError } from '../errors.ts';
import type { FileAttributes, HostPath } from '../host.ts';
import { unlinkIfThere } from './atomic-write.ts';
import { type FileContext, findEntry, needEntry } from './parent.ts';
import { openPathOnly } from './pinned-directory.ts';

/** Sets owner and mode of what `location` is, without following a symbolic link at its end. */
export async function applyAttributes(
  context: FileContext,
  location: string,
  attributes: FileAttributes,
): Promise<void> {
  await using pinned = await open(location, openPathOnly | constants.O_NOFOLLOW);
  if ((await pinned.stat()).isSymbolicLink()) {
    throw Object.assign(new Error('symbolic link'), { code: 'ELOOP' });
  }
  const self = `/proc/self/fd/${pinned.fd}`;
  await context.ownership.set(self, attributes);
  await chmod(self, attributes.mode);
}

/** `HostFiles.setAttributes`. */
export async function setAttributesOf(
  context: FileContext,
  path: HostPath,
  attributes: FileAttributes,
): Promise<void> {
  const entry = needEntry(context, 'set attributes of', path);
  using directory = entry.directory;
  try {
    await applyAttributes(context, entry.location, attributes);
    await directory.sync();
  } catch (error) {
    throw fileError('set attributes of', path, error);
  }
}

/** `HostFiles.remove`. */
export async function removePath(context: FileContext, path: HostPath): Promise<void> {
  const entry = findEntry(context, path);
  if (entry === undefined) return;
  using directory = entry.directory;
  try {
    if (await unlinkIfThere(entry.location)) await directory.sync();
  } catch (error) {
    throw fileError('remove', path, error);
  }
}

const kept = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EINVAL']);

/** `HostFiles.removeDirectory`. */
export async function removeEmptyDirectory(context: FileContext, path: HostPath): Promise<boolean> {
  const entry = findEntry(context, path);
  if (entry === undefined) return false;
  using directory = entry.directory;
  try {
    await rmdir(entry.location);
    await directory.sync();
    return true;
  } catch (error) {
    if (kept.has(errnoOf(error))) return false;
    throw fileError('remove directory', path, error);
  }
}
