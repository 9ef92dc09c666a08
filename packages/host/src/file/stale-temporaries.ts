import { readdir } from 'node:fs/promises';
import { fileError } from '../errors.ts';
import type { HostPath } from '../host.ts';
import { unlinkIfThere } from './atomic-write.ts';
import { pathComponents, pathOf } from './host-path.ts';
import type { FileContext } from './parent.ts';
import { isTemporaryName } from './temporary-name.ts';
import { walk } from './walk.ts';

/** `HostFiles.removeStaleTemporaries`; those in `alive` stay. */
export async function removeTemporaries(
  context: FileContext,
  path: HostPath,
  alive: ReadonlySet<HostPath>,
): Promise<readonly HostPath[]> {
  const components = pathComponents(path);
  const found = walk(context.root, components);
  using directory = found.directory;
  if (found.kind !== 'found') return [];
  const removed: HostPath[] = [];
  try {
    for (const name of (await readdir(`${directory.self}/.`)).filter(isTemporaryName).sort()) {
      const temporary = pathOf([...components, name]);
      if (alive.has(temporary)) continue;
      if (await unlinkIfThere(directory.entry(name))) removed.push(temporary);
    }
    if (removed.length > 0) await directory.sync();
    return removed;
  } catch (error) {
    throw fileError('remove temporary files in', path, error);
  }
}
