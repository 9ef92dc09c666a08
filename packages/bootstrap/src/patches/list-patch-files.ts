import type { HostFiles, HostPath } from '@slipway/host';

/**
 * The files of a directory of patches, those of its sub-directories at their place: kubeadm walks them too,
 * and what was applied by it is not left out in silence. Links to directories are not followed.
 */
export async function listPatchFiles(
  files: HostFiles,
  directory: HostPath,
): Promise<readonly HostPath[]> {
  const found: HostPath[] = [];
  for (const name of await files.list(directory)) {
    const path = `${directory}/${name}`;
    const isDirectory = (await files.stat(path))?.type === 'directory';
    found.push(...(isDirectory ? await listPatchFiles(files, path) : [path]));
  }
  return found;
}
