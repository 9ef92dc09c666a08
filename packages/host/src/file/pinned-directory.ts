import { closeSync, constants, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { HostPath } from '../host.ts';

/** Linux `O_PATH`: a descriptor that names a place and needs no permission to read it. Node has no constant for it. */
export const openPathOnly = 0o10000000;

/**
 * An open directory. Its entries are reached through the descriptor, so that nobody can swap a
 * parent for a symbolic link between the check and the use (`openat` in all but name).
 */
export class PinnedDirectory implements Disposable {
  readonly fd: number;
  /** Where it is inside the root, symbolic links resolved. */
  readonly path: HostPath;

  constructor(fd: number, path: HostPath) {
    this.fd = fd;
    this.path = path;
  }

  /** Opens `location`, which must be a directory and not a symbolic link unless `follow` is given. */
  static open(location: string, path: HostPath, follow: 'follow' | 'refuse-link'): PinnedDirectory {
    const link = follow === 'follow' ? 0 : constants.O_NOFOLLOW;
    return new PinnedDirectory(
      openSync(location, openPathOnly | constants.O_DIRECTORY | link),
      path,
    );
  }

  /** The directory itself, as a path for system calls. */
  get self(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  /** An entry of it, as a path for system calls; the last component is not resolved by this. */
  entry(name: string): string {
    return `/proc/self/fd/${this.fd}/${name}`;
  }

  /** Makes renames, creations and removals in it durable. */
  async sync(): Promise<void> {
    const directory = await open(`${this.self}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}
