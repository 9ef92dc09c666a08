import type { Host, HostPath } from '@slipway/host';
import { unitPath } from '@slipway/ignition';
import type { ExpectedState } from './declaration/expected-state.ts';
import { installSection, templateUnit } from './declaration/unit-paths.ts';
import { isEnabled } from './drift/enablement.ts';
import { type BrokenLink, brokenLinks } from './enablement-links.ts';
import { inParallel } from './in-parallel.ts';
import { digestOf } from './state/digest.ts';
import { absent, type Image } from './state/image.ts';

/** What systemd and the disk say of one unit. */
export type ObservedUnit = {
  /** systemd's word: `enabled`, `disabled`, `masked`, `static`, …; empty when there is no unit file. */
  readonly unitFileState: string;
  readonly exists: boolean;
  /** [Install] section of the administrator's file, or of that of its template; empty when there is none. */
  readonly install: readonly string[];
  /** Links of an enabled unit that are missing or lead elsewhere. Absent: that cannot be told. */
  readonly brokenLinks?: readonly BrokenLink[];
};

/** A snapshot of everything that is managed, or is to be. */
export type Observation = {
  readonly paths: ReadonlyMap<string, Image>;
  readonly units: ReadonlyMap<string, ObservedUnit>;
};

/** What is at `path` now. */
export async function observePath(host: Host, path: HostPath): Promise<Image> {
  const stat = await host.files.stat(path);
  if (stat === undefined) return absent;
  const { mode, uid, gid } = stat;
  switch (stat.type) {
    case 'file': {
      const content = await host.files.read(path);
      return { type: 'file', digest: digestOf(content), sizeBytes: content.length, mode, uid, gid };
    }
    case 'symlink':
      return { type: 'symlink', target: await host.files.readLink(path) };
    case 'directory':
      return { type: 'directory', mode, uid, gid };
    case 'other':
      return { type: 'other' };
  }
}

/** What systemd says of `unit`. */
export async function observeUnit(host: Host, unit: string): Promise<ObservedUnit> {
  const status = await host.systemd.status(unit);
  const links = isEnabled(status.unitFileState) ? await brokenLinks(host, unit) : [];
  return {
    ...(links === undefined ? {} : { brokenLinks: links }),
    unitFileState: status.unitFileState,
    exists: status.unitFileState !== '' && status.loadState !== 'not-found',
    install: await readInstall(host, unit),
  };
}

async function readInstall(host: Host, unit: string): Promise<readonly string[]> {
  for (const name of [unit, templateUnit(unit)]) {
    if (name === undefined) continue;
    const path = unitPath(name);
    if ((await host.files.stat(path))?.type !== 'file') continue;
    return installSection(new TextDecoder().decode(await host.files.read(path)));
  }
  return [];
}

/** A snapshot of the given paths and units. */
export async function observe(
  host: Host,
  paths: Iterable<HostPath>,
  units: Iterable<string>,
): Promise<Observation> {
  const images = new Map<string, Image>();
  await inParallel([...paths], async (path) => {
    images.set(path, await observePathOrOther(host, path));
  });
  const states = new Map<string, ObservedUnit>();
  await inParallel([...units], async (unit) => {
    states.set(unit, await observeUnit(host, unit));
  });
  return { paths: images, units: states };
}

/** A snapshot of what `expected` speaks of. Units are asked only where enablement is declared. */
export function observeExpected(host: Host, expected: ExpectedState): Promise<Observation> {
  return observe(
    host,
    expected.paths.map((entry) => entry.path),
    expected.units.filter((unit) => unit.enabled !== undefined).map((unit) => unit.name),
  );
}

/** A path may vanish or change its type while it is read: then it is read once more. */
async function observePathOrOther(host: Host, path: HostPath): Promise<Image> {
  try {
    return await observePath(host, path);
  } catch {
    // A second failure is not a race: it is reported.
    return observePath(host, path);
  }
}
