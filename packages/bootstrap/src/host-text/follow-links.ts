import { posix } from 'node:path';
import type { FileStat, HostFiles, HostPath } from '@slipway/host';

const maximalLinks = 8;

/** What is at the end of the symlinks that begin at a path. */
export type LinkedPath = { readonly path: HostPath; readonly stat: FileStat };

/** Follows symlinks as the kernel does; undefined when they lead nowhere, or round in a circle. */
export async function followLinks(
  files: HostFiles,
  path: HostPath,
): Promise<LinkedPath | undefined> {
  let current = path;
  for (let links = 0; links <= maximalLinks; links += 1) {
    const stat = await files.stat(current);
    if (stat === undefined) return undefined;
    if (stat.type !== 'symlink') return { path: current, stat };
    current = posix.resolve(posix.dirname(current), await files.readLink(current));
  }
  return undefined;
}
