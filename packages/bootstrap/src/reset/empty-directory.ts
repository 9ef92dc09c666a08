import type { HostFiles, HostPath } from '@slipway/host';

/** Removes everything in a directory and keeps the directory. Symbolic links in it are removed, not followed. */
export async function emptyDirectory(files: HostFiles, directory: HostPath): Promise<void> {
  for (const name of await files.list(directory)) {
    const path = `${directory}/${name}`;
    const stat = await files.stat(path);
    if (stat?.type !== 'directory') {
      await files.remove(path);
      continue;
    }
    await emptyDirectory(files, path);
    await files.removeDirectory(path);
  }
}
