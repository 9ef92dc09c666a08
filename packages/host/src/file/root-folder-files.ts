import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { HostFiles } from '../host.ts';
import { callerOwnership } from './caller-ownership.ts';
import { createHostFiles } from './host-files.ts';
import { noLabels } from './labels.ts';
import { realOwnership } from './ownership.ts';

export type RootFolderFilesOptions = {
  /** Existing folder that is taken for `/`, absolute; `/` itself is allowed. */
  readonly root: string;
  /** Effective user of the process: only root gives files to the owner that is asked for. */
  readonly userId: number;
};

/**
 * Files below a folder, without chroot and without any program: for a tree that is not running
 * (`--rootfs`), and for a process that is not root. Owners are set by root alone; labels never.
 * Undefined when the folder is missing or no directory.
 */
export function createRootFolderFiles(options: RootFolderFilesOptions): HostFiles | undefined {
  const { root, userId } = options;
  if (!(isAbsolute(root) && statSync(root, { throwIfNoEntry: false })?.isDirectory() === true))
    return undefined;
  const ownership = userId === 0 ? realOwnership : callerOwnership;
  return createHostFiles({ root, ownership, labels: noLabels });
}
