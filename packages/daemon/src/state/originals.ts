import type { Image } from './image.ts';
import type { StateFiles } from './state-files.ts';

/** What was there before the daemon's first write, kept for as long as the path or unit is managed. */
export type Originals = {
  readonly paths: ReadonlyMap<string, Image>;
  /** systemd's word for the unit file (`enabled`, `disabled`, …; empty: there was none). */
  readonly units: ReadonlyMap<string, string>;
  /** Directories that the daemon made, to be removed when they are empty and no longer needed. */
  readonly directories: readonly string[];
};

/** Nothing was ever managed. */
export const noOriginals: Originals = { paths: new Map(), units: new Map(), directories: [] };

const record = 'originals.json';

type Recorded = {
  readonly paths: Readonly<Record<string, Image>>;
  readonly units: Readonly<Record<string, string>>;
  readonly directories: readonly string[];
};

export async function readOriginals(files: StateFiles): Promise<Originals> {
  const recorded = await files.readJson<Recorded>(record);
  if (recorded === undefined) return noOriginals;
  return {
    paths: new Map(Object.entries(recorded.paths)),
    units: new Map(Object.entries(recorded.units)),
    directories: recorded.directories,
  };
}

export async function writeOriginals(files: StateFiles, originals: Originals): Promise<void> {
  const recorded: Recorded = {
    paths: Object.fromEntries(originals.paths),
    units: Object.fromEntries(originals.units),
    directories: originals.directories,
  };
  await files.writeJson(record, recorded);
}
