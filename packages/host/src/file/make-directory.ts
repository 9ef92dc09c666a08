import { mkdir } from 'node:fs/promises';
import { errnoOf, fileError, terminal } from '../errors.ts';
import type { FileAttributes, HostPath } from '../host.ts';
import { applyAttributes } from './change.ts';
import { pathComponents, pathOf } from './host-path.ts';
import type { FileContext } from './parent.ts';
import { walk } from './walk.ts';

/**
 * `HostFiles.makeDirectory`. Each new directory gets the attributes, its label and a synced parent.
 * A crash between two of them leaves directories that the next call accepts as they are.
 */
export async function makeDirectories(
  context: FileContext,
  path: HostPath,
  attributes: FileAttributes,
): Promise<readonly HostPath[]> {
  const components = pathComponents(path);
  const created: HostPath[] = [];
  // One pass per missing level, plus one that finds nothing missing.
  for (let pass = 0; pass <= components.length; pass += 1) {
    const made = await makeOne(context, components, attributes);
    if (made === undefined) return created;
    if (made !== '') created.push(made);
  }
  throw terminal('host.file.failed', `make directory ${path}: it is removed as fast as it is made`);
}

/** The directory that was made, undefined when nothing is missing, empty when somebody else was faster. */
async function makeOne(
  context: FileContext,
  components: readonly string[],
  attributes: FileAttributes,
): Promise<HostPath | undefined> {
  const path = pathOf(components);
  const found = walk(context.root, components);
  using directory = found.directory;
  if (found.kind === 'found') return undefined;
  if (found.kind === 'blocked') {
    const cause = `${found.path} is not a directory`;
    throw terminal('host.file.not-a-directory', `make directory ${path}: ${cause}`);
  }
  const [name = ''] = found.rest;
  if (found.dangling) {
    const cause = `a symbolic link leads to ${directory.path}, which has no ${name}`;
    throw terminal('host.file.dangling-link', `make directory ${path}: ${cause}`);
  }
  const made = pathOf(components.slice(0, components.length - found.rest.length + 1));
  try {
    // Closed to others until owner and mode are right.
    await mkdir(directory.entry(name), 0o700);
    await context.labels.restore(pathOf([...pathComponents(directory.path), name]), made);
    await applyAttributes(context, directory.entry(name), attributes);
    await directory.sync();
    return made;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return '';
    throw fileError('make directory', made, error);
  }
}
