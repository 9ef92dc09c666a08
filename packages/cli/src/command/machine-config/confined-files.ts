import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { maxContentBytes } from '@slipway/ignition';
import type { LocalFile, ReadLocalFile } from '@slipway/machineconfig';
import { reasonOf } from './config-file.ts';

/**
 * Reads files below a directory and no others: neither a path nor a symbolic link leads out of it. Only regular
 * files of what a MachineConfig can hold are read.
 */
export function confinedFiles(directory: string, workingDirectory: string): ReadLocalFile {
  const given = resolve(workingDirectory, directory);
  return (path): LocalFile => {
    if (isAbsolute(path)) return { fault: 'the path is absolute' };
    if (path.includes('\0')) return { fault: 'the path contains a zero byte' };
    try {
      const root = realpathSync(given);
      const file = realpathSync(resolve(root, path));
      const inside = relative(root, file);
      const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
      return isOutside ? { fault: 'it is outside of the directory' } : readRegular(file);
    } catch (error) {
      return { fault: reasonOf(error) };
    }
  };
}

/** The file is opened without waiting, so that a pipe does not stop the command. */
function readRegular(file: string): LocalFile {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const descriptor = openSync(file, flags);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { fault: 'it is no regular file' };
    if (status.size > maxContentBytes)
      return { fault: `it has more than ${maxContentBytes} bytes` };
    return { bytes: readFileSync(descriptor) };
  } finally {
    closeSync(descriptor);
  }
}
