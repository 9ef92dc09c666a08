import { constants } from 'node:fs';
import { lstat, open, rename, symlink, unlink } from 'node:fs/promises';
import { bug, errnoOf, fileError } from '../errors.ts';
import type { FileAttributes, HostPath, StagedFile } from '../host.ts';
import { parentPath } from './host-path.ts';
import { type Entry, type FileContext, findEntry, needEntry } from './parent.ts';
import { isTemporaryName, newTemporaryName } from './temporary-name.ts';

/**
 * The one writer of host files. What is seen at a path is always the whole old or the whole new
 * content with its final mode and owner, also after a power cut: the temporary file lies in the
 * target's directory, is complete and synced before it is renamed, and the directory is synced after.
 */
export async function stageFile(
  context: FileContext,
  path: HostPath,
  content: Uint8Array,
  attributes: FileAttributes,
): Promise<StagedFile> {
  const entry = needEntry(context, 'write', path);
  using directory = entry.directory;
  const name = newTemporaryName();
  const temporary = beside(entry, name);
  try {
    await refuseDirectory(entry, path);
    const exclusive = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    await using file = await open(directory.entry(name), exclusive | constants.O_NOFOLLOW, 0o600);
    await file.writeFile(content);
    await context.ownership.set(`/proc/self/fd/${file.fd}`, attributes);
    // After the owner: changing the owner clears the set-user-id bits.
    await file.chmod(attributes.mode);
    await context.labels.restore(temporary, path);
    await file.sync();
  } catch (error) {
    await unlinkIfThere(directory.entry(name));
    throw fileError('write', path, error);
  }
  return { path, temporary: sibling(path, name) };
}

/** Renames a staged file over its target and makes that durable. */
export async function commitFile(context: FileContext, staged: StagedFile): Promise<void> {
  const entry = needEntry(context, 'commit', staged.path);
  using directory = entry.directory;
  try {
    await rename(directory.entry(temporaryName(staged)), entry.location);
    await directory.sync();
  } catch (error) {
    throw fileError('commit', staged.path, error);
  }
}

/** Removes a staged file; absent is fine, also when its directory is gone. */
export async function discardFile(context: FileContext, staged: StagedFile): Promise<void> {
  const name = temporaryName(staged);
  const entry = findEntry(context, staged.path);
  if (entry === undefined) return;
  using directory = entry.directory;
  try {
    await unlinkIfThere(directory.entry(name));
  } catch (error) {
    throw fileError('discard', staged.temporary, error);
  }
}

/** Creates or replaces a symbolic link in one step. */
export async function replaceLink(
  context: FileContext,
  path: HostPath,
  target: string,
): Promise<void> {
  const entry = needEntry(context, 'link', path);
  using directory = entry.directory;
  const name = newTemporaryName();
  try {
    await refuseDirectory(entry, path);
    await symlink(target, directory.entry(name));
    await context.labels.restore(beside(entry, name), path);
    await rename(directory.entry(name), entry.location);
    await directory.sync();
  } catch (error) {
    await unlinkIfThere(directory.entry(name));
    throw fileError('link', path, error);
  }
}

/** Removes a file or link; false when there was none. */
export async function unlinkIfThere(location: string): Promise<boolean> {
  try {
    await unlink(location);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Renaming over a directory fails only at commit time; it is better known while nothing has changed. */
async function refuseDirectory(entry: Entry, path: HostPath): Promise<void> {
  try {
    if (!(await lstat(entry.location)).isDirectory()) return;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  throw fileError('write', path, Object.assign(new Error('directory'), { code: 'EISDIR' }));
}

function beside(entry: Entry, name: string): HostPath {
  return sibling(`${entry.directory.path}/${entry.name}`, name);
}

function sibling(path: HostPath, name: string): HostPath {
  const parent = parentPath(path);
  return parent === '/' ? `/${name}` : `${parent}/${name}`;
}

/** A journal is read back after a crash; only names of ours in the target's directory are believed. */
function temporaryName(staged: StagedFile): string {
  const name = staged.temporary.slice(staged.temporary.lastIndexOf('/') + 1);
  if (isTemporaryName(name) && sibling(staged.path, name) === staged.temporary) return name;
  throw bug('host.file.foreign-temporary', `use staged file ${staged.temporary}: not one of ours`);
}
