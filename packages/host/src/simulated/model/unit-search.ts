import { posix } from 'node:path';
import type { FileStat, HostFiles, HostPath } from '../../host.ts';
import { templateOf } from './unit-name.ts';

export const configDirectory = '/etc/systemd/system';
export const runtimeDirectory = '/run/systemd/system';

/** Where unit files are looked for, first wins (`systemd.unit(5)`). */
export const searchPath: readonly HostPath[] = [
  configDirectory,
  runtimeDirectory,
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
];

/** A unit's own file. */
export type Fragment = {
  /** Name of the unit that the file defines: an alias leads to another one. */
  readonly unit: string;
  /** Where it was found in the search path. */
  readonly path: HostPath;
  /** Where its content is, links followed. */
  readonly contentPath: HostPath;
  readonly mtimeMs: number;
  /** True for a link to `/dev/null` or an empty file. */
  readonly masked: boolean;
};

const maxLinks = 8;

type Found = { readonly path: HostPath; readonly stat: FileStat };

/** Follows links at the end of `path`; the result may be missing or `/dev/null`. */
export async function followLinks(files: HostFiles, path: HostPath): Promise<HostPath> {
  let at = path;
  for (let links = 0; links < maxLinks; links += 1) {
    if ((await files.stat(at))?.type !== 'symlink') return at;
    at = posix.resolve(posix.dirname(at), await files.readLink(at));
  }
  return at;
}

/** The file that defines `unit`: its own, an alias's target, or its template's. */
export async function findFragment(
  files: HostFiles,
  unit: string,
  depth = 0,
): Promise<Fragment | undefined> {
  for (const name of [unit, templateOf(unit)]) {
    if (name === undefined) continue;
    const found = await findFile(files, name);
    if (found !== undefined) return await fragmentOf(files, unit, found, depth);
  }
  return undefined;
}

async function findFile(files: HostFiles, name: string): Promise<Found | undefined> {
  for (const directory of searchPath) {
    const path = `${directory}/${name}`;
    const stat = await files.stat(path);
    if (stat !== undefined && stat.type !== 'directory') return { path, stat };
  }
  return undefined;
}

async function fragmentOf(
  files: HostFiles,
  unit: string,
  found: Found,
  depth: number,
): Promise<Fragment | undefined> {
  const { path, stat } = found;
  if (stat.type !== 'symlink') {
    return { unit, path, contentPath: path, mtimeMs: stat.mtimeMs, masked: stat.sizeBytes === 0 };
  }
  const contentPath = await followLinks(files, path);
  if (contentPath === '/dev/null') {
    return { unit, path, contentPath, mtimeMs: stat.mtimeMs, masked: true };
  }
  const name = posix.basename(posix.resolve(posix.dirname(path), await files.readLink(path)));
  if (name !== posix.basename(path) && depth < maxLinks) {
    return await findFragment(files, name, depth + 1);
  }
  const target = await files.stat(contentPath);
  if (target === undefined) return undefined;
  return { unit, path, contentPath, mtimeMs: target.mtimeMs, masked: target.sizeBytes === 0 };
}
