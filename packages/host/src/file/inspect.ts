import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { errnoOf, fileError, terminal } from '../errors.ts';
import type { FileStat, FileType, HostPath } from '../host.ts';
import { pathComponents } from './host-path.ts';
import { type FileContext, findEntry, needEntry } from './parent.ts';
import { walk } from './walk.ts';

function typeOf(stats: BigIntStats): FileType {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}

/** `HostFiles.stat`. */
export async function statPath(
  context: FileContext,
  path: HostPath,
): Promise<FileStat | undefined> {
  const entry = findEntry(context, path);
  if (entry === undefined) return undefined;
  using _directory = entry.directory;
  try {
    const stats = await lstat(entry.location, { bigint: true });
    return {
      type: typeOf(stats),
      mode: Number(stats.mode & 0o7777n),
      ...context.ownership.of(stats),
      sizeBytes: Number(stats.size),
      mtimeMs: Number(stats.mtimeNs / 1000n) / 1000,
    };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw fileError('inspect', path, error);
  }
}

/** `HostFiles.read`. */
export async function readPath(context: FileContext, path: HostPath): Promise<Uint8Array> {
  const entry = needEntry(context, 'read', path);
  using _directory = entry.directory;
  try {
    // Without O_NONBLOCK a named pipe at the path would block for ever.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    await using file = await open(entry.location, flags);
    if (!(await file.stat()).isFile()) {
      throw terminal('host.file.not-a-file', `read ${path}: not a regular file`);
    }
    return await file.readFile();
  } catch (error) {
    throw fileError('read', path, error);
  }
}

/** `HostFiles.readLink`. */
export async function readLinkAt(context: FileContext, path: HostPath): Promise<string> {
  const entry = needEntry(context, 'read link', path);
  using _directory = entry.directory;
  try {
    return await readlink(entry.location);
  } catch (error) {
    if (errnoOf(error) === 'EINVAL') {
      throw terminal('host.file.not-a-file', `read link ${path}: not a symbolic link`, error);
    }
    throw fileError('read link', path, error);
  }
}

/** `HostFiles.list`. A symbolic link to a directory is listed as that directory. */
export async function listDirectory(
  context: FileContext,
  path: HostPath,
): Promise<readonly string[]> {
  const found = walk(context.root, pathComponents(path));
  using directory = found.directory;
  if (found.kind === 'missing') return [];
  if (found.kind === 'blocked') {
    throw terminal('host.file.not-a-directory', `list ${path}: ${found.path} is not a directory`);
  }
  try {
    return (await readdir(`${directory.self}/.`)).sort();
  } catch (error) {
    throw fileError('list', path, error);
  }
}
