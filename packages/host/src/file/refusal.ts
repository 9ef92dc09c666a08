import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { errnoOf, fileError } from '../errors.ts';
import type { HostPath } from '../host.ts';
import { pathComponents } from './host-path.ts';
import type { FileContext } from './parent.ts';
import type { PinnedDirectory } from './pinned-directory.ts';
import { walk } from './walk.ts';

/** File systems that are interfaces of the kernel: names in them are not files (`statfs(2)`). */
const kernelInterfaces: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x63677270, 'cgroup2'],
  [0x0027e0eb, 'cgroup'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
  [0x73636673, 'securityfs'],
  [0xf97cff8c, 'selinuxfs'],
  [0x62656570, 'configfs'],
  [0xcafe4a11, 'bpf'],
  [0xde5e81e4, 'efivarfs'],
]);

/** `HostFiles.writeRefusal`. */
export async function writeRefusalOf(
  context: FileContext,
  path: HostPath,
): Promise<string | undefined> {
  const components = pathComponents(path);
  if (components.length === 0) return '/ is the root directory';
  const found = walk(context.root, components);
  using directory = found.directory;
  if (found.kind === 'blocked') return `${found.path} is not a directory`;
  if (found.kind === 'missing' && found.dangling) {
    return `${path} leads through a symbolic link to ${directory.path}, which has no ${found.rest[0]}`;
  }
  // Awaited here: the directory is closed when this function returns.
  return await refusalOf(context, directory);
}

async function refusalOf(
  context: FileContext,
  directory: PinnedDirectory,
): Promise<string | undefined> {
  const { path } = directory;
  const simulated = context.kernelDirectories.find(
    (at) => path === at || path.startsWith(`${at}/`),
  );
  const type = (await statfs(`${directory.self}/.`)).type >>> 0;
  const kernel = simulated === undefined ? kernelInterfaces.get(type) : simulated.slice(1);
  if (kernel !== undefined) {
    return `${path} is a kernel interface (${kernel}), files cannot be made in it`;
  }
  try {
    await access(`${directory.self}/.`, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `${path} ${accessWords(errnoOf(error))}`;
  }
}

function accessWords(errno: string): string {
  switch (errno) {
    case 'EROFS':
      return 'is on a read-only file system';
    case 'EPERM':
      return 'is immutable';
    case 'EACCES':
      return 'is not writable by this process';
    default:
      return `cannot be written (${errno})`;
  }
}

/** `HostFiles.freeBytes`: what an unprivileged writer may still use. */
export async function freeBytesAt(context: FileContext, path: HostPath): Promise<number> {
  const found = walk(context.root, pathComponents(path));
  using directory = found.directory;
  try {
    const system = await statfs(`${directory.self}/.`);
    return system.bavail * system.bsize;
  } catch (error) {
    throw fileError('measure', path, error);
  }
}
