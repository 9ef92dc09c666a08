import { posix } from 'node:path';
import type { HostFiles, HostPath } from '@slipway/host';
import { readHostText } from '../../host-text/read-host-text.ts';
import { type TomlEntry, tomlEntries } from './toml-entries.ts';

/** A file of containerd's configuration. */
export type ContainerdFile = {
  readonly path: HostPath;
  readonly entries: readonly TomlEntry[];
};

/**
 * A configuration and what it imports, in the order in which they count: an import comes after the file
 * that names it. A file without `imports` imports nothing, whatever containerd's default names. Source:
 * containerd's LoadConfig and resolveImports, tried with 1.6.20 and 2.4.2.
 */
export async function readContainerdFiles(
  files: HostFiles,
  path: HostPath,
): Promise<readonly ContainerdFile[]> {
  const loaded = new Map<HostPath, ContainerdFile>();
  const pending: HostPath[] = [path];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (loaded.has(next)) continue;
    const text = await readHostText(files, next);
    if (text === undefined) continue;
    const entries = tomlEntries(text);
    loaded.set(next, { path: next, entries });
    for (const pattern of importsOf(entries)) {
      pending.push(...(await matchingPaths(files, posix.resolve(posix.dirname(next), pattern))));
    }
  }
  return [...loaded.values()];
}

function importsOf(entries: readonly TomlEntry[]): readonly string[] {
  return entries.flatMap(({ path, value }) =>
    path.length === 1 && path[0] === 'imports' && value !== undefined ? [value] : [],
  );
}

/** Paths that a pattern names, `*` and `?` in any component; a path without them is itself. */
async function matchingPaths(files: HostFiles, pattern: HostPath): Promise<readonly HostPath[]> {
  let paths: readonly HostPath[] = ['/'];
  for (const component of pattern.split('/').filter((part) => part !== '')) {
    const found: HostPath[] = [];
    for (const path of paths) {
      const names = /[*?]/.test(component)
        ? (await listDirectory(files, path)).filter((name) => patternOf(component).test(name))
        : [component];
      found.push(...names.map((name) => posix.join(path, name)));
    }
    paths = found;
  }
  return paths;
}

async function listDirectory(files: HostFiles, path: HostPath): Promise<readonly string[]> {
  const stat = await files.stat(path);
  return stat?.type === 'file' ? [] : await files.list(path);
}

function patternOf(component: string): RegExp {
  const escaped = component.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}
