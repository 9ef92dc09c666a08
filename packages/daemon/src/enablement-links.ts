import type { FileType, Host, HostPath } from '@slipway/host';
import { unitDirectory } from '@slipway/ignition';
import {
  enablementLinks,
  installSection,
  isCertainLink,
  maskTarget,
  templateUnit,
  vendorUnitDirectories,
} from './declaration/unit-paths.ts';

/** A link that enabling the unit makes, and what is in its place. */
export type BrokenLink = {
  readonly path: HostPath;
  readonly type: FileType | 'absent';
  /** Of a symlink. */
  readonly target?: string;
};

/** Folders of unit files, first match wins. */
const unitDirectories = [unitDirectory, '/run/systemd/system', ...vendorUnitDirectories];

/** The links that enabling `unit` makes, by the unit file that is in force. They may not exist. */
export async function linksInForce(host: Host, unit: string): Promise<readonly HostPath[]> {
  return enablementLinks(unit, await unitText(host, unit));
}

/**
 * Links of an enabled unit that are missing or lead elsewhere; those that the unit file does not name
 * are nobody's concern. Undefined when that cannot be told: a drop-in changes the [Install] section.
 */
export async function brokenLinks(
  host: Host,
  unit: string,
): Promise<readonly BrokenLink[] | undefined> {
  if (await hasInstallDropin(host, unit)) return undefined;
  const broken: BrokenLink[] = [];
  for (const path of await linksInForce(host, unit)) {
    if (!isCertainLink(unit, path)) continue;
    const found = await findLink(host, path);
    if (!leadsTo(found.target, unit)) broken.push(found);
  }
  return broken;
}

function leadsTo(target: string | undefined, unit: string): boolean {
  if (target === undefined || target === maskTarget) return false;
  const name = target.slice(target.lastIndexOf('/') + 1);
  return name === unit || name === templateUnit(unit);
}

/** What is at `path`; where that is nothing, a link of the vendor or of this boot has the same effect. */
async function findLink(host: Host, path: HostPath): Promise<BrokenLink> {
  for (const directory of unitDirectories) {
    const place = `${directory}${path.slice(unitDirectory.length)}`;
    const type = (await host.files.stat(place))?.type;
    if (type === 'symlink') return { path, type, target: await host.files.readLink(place) };
    if (type !== undefined && directory === unitDirectory) return { path, type };
  }
  return { path, type: 'absent' };
}

/** The unit file that is in force, or its template's; empty when there is none. */
async function unitText(host: Host, unit: string): Promise<string> {
  for (const name of namesOf(unit)) {
    for (const directory of unitDirectories) {
      const path = `${directory}/${name}`;
      if ((await host.files.stat(path))?.type === 'file') return readText(host, path);
    }
  }
  return '';
}

async function hasInstallDropin(host: Host, unit: string): Promise<boolean> {
  for (const name of namesOf(unit)) {
    for (const directory of unitDirectories) {
      const folder = `${directory}/${name}.d`;
      for (const file of await host.files.list(folder)) {
        const path = `${folder}/${file}`;
        if (!file.endsWith('.conf') || (await host.files.stat(path))?.type !== 'file') continue;
        if (installSection(await readText(host, path)).length > 0) return true;
      }
    }
  }
  return false;
}

function namesOf(unit: string): readonly string[] {
  const template = templateUnit(unit);
  return template === undefined ? [unit] : [unit, template];
}

async function readText(host: Host, path: HostPath): Promise<string> {
  return new TextDecoder().decode(await host.files.read(path));
}
