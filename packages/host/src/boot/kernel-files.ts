import { readFile } from 'node:fs/promises';
import { terminal } from '../errors.ts';

/**
 * What the kernel says of this boot. Read below the host's root, where a container sees its host's
 * `/proc`; these files say nothing of their size, so they are not read as managed files are.
 */
export async function readKernelFile(root: string, path: string): Promise<string> {
  try {
    return (await readFile(`${root}${path}`, 'utf8')).trim();
  } catch (error) {
    throw terminal('host.boot.unreadable', `read ${path}`, error);
  }
}

export const bootIdPath = '/proc/sys/kernel/random/boot_id';
export const commandLinePath = '/proc/cmdline';
