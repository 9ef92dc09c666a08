import type { FileAttributes, HostFiles, HostPath } from '@slipway/host';

/**
 * Writes a file unless it has the content and the mode already, so that a second run touches nothing
 * that is right; returns whether it wrote.
 */
export async function writeIfChanged(
  files: HostFiles,
  path: HostPath,
  text: string,
  attributes: FileAttributes,
): Promise<boolean> {
  const stat = await files.stat(path);
  if (stat?.type === 'file' && stat.mode === attributes.mode) {
    if (Buffer.from(await files.read(path)).equals(Buffer.from(text))) return false;
  }
  await files.write(path, Buffer.from(text), attributes);
  return true;
}
