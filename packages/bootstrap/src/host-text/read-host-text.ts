import type { HostFiles, HostPath } from '@slipway/host';
import { followLinks } from './follow-links.ts';

/**
 * Text of a file of the host, symlinks followed (the kubelet keeps its credential behind one); undefined
 * when there is none. `HostFiles` itself follows none at the last component.
 */
export async function readHostText(files: HostFiles, path: HostPath): Promise<string | undefined> {
  const found = await followLinks(files, path);
  if (found === undefined) return undefined;
  return Buffer.from(await files.read(found.path)).toString('utf8');
}
