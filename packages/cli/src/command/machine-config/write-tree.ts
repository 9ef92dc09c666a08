import { chmod, mkdir, open, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { UserError } from '@slipway/base';
import type { TreeEntry } from '@slipway/machineconfig';
import type { CliErrorCode } from '../../errors.ts';
import { reasonOf } from './config-file.ts';

const directoryMode = 0o755;

/**
 * Writes a tree below `root`, which must be empty or not exist, with its modes whatever the umask. Owners
 * stay those of the caller. When it fails, what was written is removed.
 *
 * @throws UserError `cli.machine-config.directory`
 */
export async function writeTree(root: string, entries: readonly TreeEntry[]): Promise<void> {
  // Before anything is written: no entry may lead out of the directory.
  for (const { path } of entries) placeIn(root, path);
  const created = await prepare(root);
  try {
    for (const entry of entries) await write(root, entry);
  } catch (cause) {
    if (created) await rm(root, { recursive: true, force: true });
    else await empty(root);
    throw refusal(root, `write: ${reasonOf(cause)}`, cause);
  }
}

function refusal(root: string, reason: string, cause?: unknown): UserError {
  const code: CliErrorCode = 'cli.machine-config.directory';
  const options = cause === undefined ? { code } : { code, cause };
  return new UserError(`extract to ${root}: ${reason}`, options);
}

function placeIn(root: string, path: string): string {
  const place = join(root, path);
  if (relative(root, place).startsWith('..') || path.split('/').includes('..') || place === root)
    throw refusal(root, `${path} leads out of it`);
  return place;
}

/** True when the directory was made; one that exists must be empty. */
async function prepare(root: string): Promise<boolean> {
  try {
    const found = await readdir(root);
    if (found.length === 0) return false;
    throw refusal(root, `it is not empty: it has ${found.sort().slice(0, 3).join(', ')}`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      throw refusal(root, reasonOf(error), error);
  }
  try {
    await mkdir(root, { recursive: true });
  } catch (cause) {
    throw refusal(root, reasonOf(cause), cause);
  }
  return true;
}

async function empty(root: string): Promise<void> {
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true });
}

async function write(root: string, entry: TreeEntry): Promise<void> {
  const place = placeIn(root, entry.path);
  await makeDirectories(root, dirname(place), directoryMode);
  switch (entry.type) {
    case 'directory':
      await makeDirectories(root, place, entry.mode);
      return;
    case 'symlink':
      await symlink(entry.target, place);
      return;
    case 'file': {
      // Exclusive, and readable by nobody else until it has its mode.
      const file = await open(place, 'wx', 0o600);
      try {
        await file.writeFile(entry.bytes);
        await file.chmod(entry.mode);
      } finally {
        await file.close();
      }
    }
  }
}

/** Makes the directories between `root` and `path` that are missing; the last one gets `mode`. */
async function makeDirectories(root: string, path: string, mode: number): Promise<void> {
  let current = root;
  for (const part of relative(root, path).split(sep)) {
    current = join(current, part);
    try {
      await mkdir(current);
      await chmod(current, current === path ? mode : directoryMode);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
