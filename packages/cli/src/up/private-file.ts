import { constants } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeError, UserError } from '@slipway/base';
import type { CliErrorCode } from '../errors.ts';

/** Text of a file; undefined when it does not exist; UserError when it cannot be read. */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unusable('read', path, error);
  }
}

function unusable(action: string, path: string, cause: unknown): UserError {
  const code: CliErrorCode = 'cli.up.unusable-file';
  return new UserError(`${action} ${path}: ${describeError(cause)}`, { code, cause });
}

/** Creates a directory that only its owner can enter, with its parents. */
export async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Writes a file of mode 0600 so that a crash leaves the old or the new one, never a mixture. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  try {
    await replace(path, text);
  } catch (error) {
    throw unusable('write', path, error);
  }
}

async function replace(path: string, text: string): Promise<void> {
  await makePrivateDirectory(dirname(path));
  const temporary = `${path}.new`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(temporary, flags, 0o600);
  try {
    // An older temporary file may have had another mode.
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
