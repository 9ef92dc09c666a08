import { posix } from 'node:path';
import type { HostFiles, HostPath } from '@slipway/host';

const maximalLinks = 8;

/**
 * Text of a file of the host, symlinks followed (the kubelet keeps its credential behind one); undefined
 * when there is none. `HostFiles` itself follows none at the last component.
 */
export async function readHostText(files: HostFiles, path: HostPath): Promise<string | undefined> {
  let current = path;
  for (let links = 0; links <= maximalLinks; links += 1) {
    const stat = await files.stat(current);
    if (stat === undefined) return undefined;
    if (stat.type !== 'symlink') return Buffer.from(await files.read(current)).toString('utf8');
    current = posix.resolve(posix.dirname(current), await files.readLink(current));
  }
  return undefined;
}
