import { terminal } from '../errors.ts';
import type { HostPath } from '../host.ts';
import { pathComponents } from './host-path.ts';
import type { Labels } from './labels.ts';
import type { Ownership } from './ownership.ts';
import type { PinnedDirectory } from './pinned-directory.ts';
import { walk } from './walk.ts';

/** What the file operations of one host have in common. */
export type FileContext = {
  /** The folder that is the host's `/`. */
  readonly root: string;
  readonly ownership: Ownership;
  readonly labels: Labels;
  /** Folders of a simulated root that stand for the kernel's own file systems. */
  readonly kernelDirectories: readonly HostPath[];
};

/** An entry in an open directory; `name` is `.` for the root itself. */
export type Entry = {
  readonly directory: PinnedDirectory;
  readonly name: string;
  /** Path for system calls; its last component is not resolved yet. */
  readonly location: string;
};

/** Opens the directory that holds `path`; undefined when there is none. The caller disposes it. */
export function findEntry(context: FileContext, path: HostPath): Entry | undefined {
  const components = pathComponents(path);
  const name = components.at(-1) ?? '.';
  const found = walk(context.root, components.slice(0, -1));
  if (found.kind === 'found') {
    return { directory: found.directory, name, location: found.directory.entry(name) };
  }
  found.directory[Symbol.dispose]();
  return undefined;
}

/**
 * As `findEntry`, for operations that need the directory.
 * @throws TerminalError `host.file.missing`, `host.file.not-a-directory`, `host.file.dangling-link`
 */
export function needEntry(context: FileContext, action: string, path: HostPath): Entry {
  const components = pathComponents(path);
  const name = components.at(-1);
  if (name === undefined) {
    throw terminal('host.file.is-a-directory', `${action} /: it is the root directory`);
  }
  const directory = needDirectory(context, action, components.slice(0, -1));
  return { directory, name, location: directory.entry(name) };
}

/** Opens a directory that must exist. The caller disposes it. */
export function needDirectory(
  context: FileContext,
  action: string,
  components: readonly string[],
): PinnedDirectory {
  const found = walk(context.root, components);
  if (found.kind === 'found') return found.directory;
  const { path } = found.directory;
  found.directory[Symbol.dispose]();
  const asked = `/${components.join('/')}`;
  if (found.kind === 'blocked') {
    throw terminal(
      'host.file.not-a-directory',
      `${action} in ${asked}: ${found.path} is not a directory`,
    );
  }
  const code = found.dangling ? 'host.file.dangling-link' : 'host.file.missing';
  throw terminal(code, `${action} in ${asked}: ${path} has no ${found.rest.join('/')}`);
}
