import { compareBytes } from '@slipway/base';
import type { HostFiles, HostPath } from '../../host.ts';
import { dropInNames, unitType } from './unit-name.ts';
import { findFragment, followLinks, searchPath } from './unit-search.ts';
import { lastValue, mergeSettings, type Settings, wordsOf } from './unit-text.ts';

/** A file that a definition was read from. */
export type Source = { readonly path: HostPath; readonly mtimeMs: number };

/** A unit as it was when systemd read its files. Plain JSON: it is kept over restarts of the process. */
export type UnitDefinition = {
  /** Canonical name. */
  readonly unit: string;
  readonly loadState: 'loaded' | 'not-found' | 'masked' | 'bad-setting';
  readonly fragment?: Source;
  readonly dropIns: readonly Source[];
  readonly settings: Settings;
  /** `Wants=` and `.wants` folders. */
  readonly wants: readonly string[];
  /** `Requires=`, `BindsTo=` and `.requires` folders. */
  readonly requires: readonly string[];
};

/** Reads what the files under the root say of `unit` now. */
export async function loadDefinition(files: HostFiles, asked: string): Promise<UnitDefinition> {
  const found = await findFragment(files, asked);
  const unit = found?.unit ?? asked;
  const none = { unit, dropIns: [], settings: {}, wants: [], requires: [] };
  if (found === undefined) return { ...none, loadState: 'not-found' };
  const fragment = { path: found.path, mtimeMs: found.mtimeMs };
  if (found.masked) return { ...none, loadState: 'masked', fragment };
  const dropIns = await findDropIns(files, unit);
  const contents = [found.contentPath, ...dropIns.map(({ path }) => path)];
  const settings = mergeSettings(await Promise.all(contents.map((path) => readText(files, path))));
  return {
    unit,
    loadState: refusesToLoad(unit, settings) ? 'bad-setting' : 'loaded',
    fragment,
    dropIns,
    settings,
    wants: [...wordsOf(settings, 'Unit.Wants'), ...(await linkedUnits(files, unit, 'wants'))],
    requires: [
      ...wordsOf(settings, 'Unit.Requires'),
      ...wordsOf(settings, 'Unit.BindsTo'),
      ...(await linkedUnits(files, unit, 'requires')),
    ],
  };
}

/** Drop-ins in the order in which they apply: by file name, whatever their folder; the first folder wins a name. */
export async function findDropIns(files: HostFiles, unit: string): Promise<readonly Source[]> {
  const byName = new Map<string, HostPath>();
  for (const name of dropInNames(unit)) {
    for (const directory of searchPath) {
      const folder = `${directory}/${name}.d`;
      for (const file of await files.list(folder)) {
        if (file.endsWith('.conf') && !byName.has(file)) byName.set(file, `${folder}/${file}`);
      }
    }
  }
  const sources: Source[] = [];
  for (const [, path] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const contentPath = await followLinks(files, path);
    const stat = await files.stat(contentPath);
    // A link to /dev/null masks the drop-in of that name.
    if (contentPath === '/dev/null' || stat?.type !== 'file') continue;
    sources.push({ path, mtimeMs: stat.mtimeMs });
  }
  return sources;
}

async function readText(files: HostFiles, path: HostPath): Promise<string> {
  return new TextDecoder().decode(await files.read(await followLinks(files, path)));
}

async function linkedUnits(
  files: HostFiles,
  unit: string,
  kind: 'wants' | 'requires',
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const directory of searchPath) {
    for (const name of await files.list(`${directory}/${unit}.${kind}`)) names.add(name);
  }
  return [...names].sort(compareBytes);
}

/** The refusals of systemd that files of this kind run into; see `service_verify` in its source. */
function refusesToLoad(unit: string, settings: Settings): boolean {
  if (unitType(unit) !== 'service') return false;
  const starts = settings['Service.ExecStart'] ?? [];
  const oneshot = lastValue(settings, 'Service.Type') === 'oneshot';
  const stops = settings['Service.ExecStop'] ?? [];
  if (starts.length === 0) return stops.length === 0 || !oneshot;
  return starts.length > 1 && !oneshot;
}

/**
 * Whether the files of a loaded unit changed since: the file it was read from is newer or gone, or
 * its list of drop-ins or one of them changed. A new file that would win the search is not noticed;
 * systemd does not notice it either.
 */
export async function needsReload(files: HostFiles, definition: UnitDefinition): Promise<boolean> {
  const { fragment } = definition;
  if (fragment === undefined) return false;
  const content = await followLinks(files, fragment.path);
  if (definition.loadState === 'masked') {
    const size = (await files.stat(content))?.sizeBytes ?? 0;
    return content !== '/dev/null' && size > 0;
  }
  const now = await files.stat(content);
  if (now === undefined || now.mtimeMs > fragment.mtimeMs) return true;
  const dropIns = await findDropIns(files, definition.unit);
  if (dropIns.length !== definition.dropIns.length) return true;
  return dropIns.some(({ path, mtimeMs }, index) => {
    const loaded = definition.dropIns[index];
    return loaded?.path !== path || mtimeMs > loaded.mtimeMs;
  });
}
