import type { HostPath, StagedFile } from '@slipway/host';
import { daemonError } from '../failure.ts';
import { observePath } from '../observe.ts';
import { type Image, sameImage } from '../state/image.ts';
import type { UpdateContext } from './step.ts';

/** The bytes with this digest: of the target, of what it replaces, or saved before they were replaced. */
export async function contentOf(context: UpdateContext, digest: string): Promise<Uint8Array> {
  const content = declaredContent(context, digest) ?? (await context.blobs.read(digest));
  if (content !== undefined) return content;
  throw daemonError('daemon.state-unreadable', `find contents ${digest}: they were not saved`);
}

/** The bytes with this digest, when a stored configuration holds them. */
export function declaredContent(
  { target, previous }: UpdateContext,
  digest: string,
): Uint8Array | undefined {
  return target.expected.contents.get(digest) ?? previous?.expected.contents.get(digest);
}

/**
 * Makes `path` be `image`; nothing is written when it is already. A directory that takes the place of
 * a file, or the reverse, is never made: preflight refuses it.
 */
export async function applyImage(
  context: UpdateContext,
  path: HostPath,
  image: Image,
): Promise<void> {
  const { files } = context.host;
  const found = await observePath(context.host, path);
  if (sameImage(found, image)) return;
  switch (image.type) {
    case 'absent':
      // Directories that the daemon made are removed with their contents gone, not here.
      if (found.type !== 'directory') await files.remove(path);
      return;
    case 'file':
      await files.write(path, await contentOf(context, image.digest), image);
      return;
    case 'symlink':
      await files.symlink(path, image.target);
      return;
    case 'directory':
      if (found.type === 'absent') await files.makeDirectory(path, image);
      else await files.setAttributes(path, image);
      return;
    case 'other':
      throw daemonError('daemon.path-occupied', `restore ${path}: it was a special file`);
  }
}

/** Renames a staged file; false when it is no longer there, as after an interrupted commit. */
export async function commitStaged(context: UpdateContext, staged: StagedFile): Promise<boolean> {
  try {
    await context.host.files.commit(staged);
    return true;
  } catch (error) {
    if ((await context.host.files.stat(staged.temporary)) !== undefined) throw error;
    return false;
  }
}
