import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { UserError } from '@slipway/base';
import { createRootFolderFiles, type HostFiles, type HostPath } from '@slipway/host';
import type { CliErrorCode } from '../../errors.ts';
import type { CommandContext } from '../program.ts';
import { type GroundFlags, rootOf } from './ground.ts';

/**
 * Where a file or directory that a flag names (`--config`, `--patches`) is, as this process sees it:
 * inside the `--rootfs` when it is there, else as given, from the working directory. A relative path
 * is what the user sees, so there the order is the other way round.
 * @throws UserError `cli.bootstrap.input` when it is in neither place
 */
export async function findInput(
  context: CommandContext,
  flags: GroundFlags,
  flag: string,
  path: string,
): Promise<string> {
  const inside = join(rootOf(context, flags), path);
  const asGiven = resolve(context.environment.workingDirectory, path);
  for (const place of isAbsolute(path) ? [inside, asGiven] : [asGiven, inside])
    if ((await stat(place).catch(() => undefined)) !== undefined) return place;
  throw unreadable(flag, path, 'no such file or directory');
}

/**
 * Text of the file that a flag names.
 * @throws UserError `cli.bootstrap.input`
 */
export async function readInput(
  context: CommandContext,
  flags: GroundFlags,
  flag: string,
  path: string,
): Promise<string> {
  const place = await findInput(context, flags, flag, path);
  try {
    return await readFile(place, 'utf8');
  } catch (cause) {
    throw unreadable(flag, path, cause instanceof Error ? cause.message : String(cause));
  }
}

/** A directory that a flag names, as files to read it by and its path there. */
export async function findInputDirectory(
  context: CommandContext,
  flags: GroundFlags,
  flag: string,
  path: string,
): Promise<{ readonly files: HostFiles; readonly path: HostPath }> {
  const place = await findInput(context, flags, flag, path);
  const files = createRootFolderFiles({ root: '/', userId: context.environment.userId });
  const isDirectory = (await stat(place)).isDirectory();
  if (!isDirectory || files === undefined) throw unreadable(flag, path, 'it is not a directory');
  return { files, path: place };
}

function unreadable(flag: string, path: string, reason: string): UserError {
  const code: CliErrorCode = 'cli.bootstrap.input';
  return new UserError(`read ${flag} ${path}: ${reason}`, { code });
}
