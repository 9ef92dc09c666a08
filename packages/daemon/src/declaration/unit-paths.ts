import { unitDirectory, unitPath } from '@slipway/ignition';

/** Folders in which systemd looks for unit files of the vendor, first match wins. */
export const vendorUnitDirectories = [
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/** Target of the link that masks a unit. */
export const maskTarget = '/dev/null';

/** `echo@.service` for the instance `echo@a.service`; undefined for any other unit. */
export function templateUnit(unit: string): string | undefined {
  const match = /^([^@]+@).+(\.[a-z]+)$/.exec(unit);
  return match === null ? undefined : `${match[1]}${match[2]}`;
}

/** The runtime link that `systemctl mask --runtime` makes. */
export function runtimeMaskPath(unit: string): string {
  return `/run/systemd/system/${unit}`;
}

/** The [Install] section of a unit file: its assignments in order, comments and white space dropped. */
export function installSection(text: string): readonly string[] {
  let inside = false;
  const lines: string[] = [];
  for (const raw of text.replaceAll(/\\\r?\n/g, ' ').split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (line.startsWith('[')) inside = line === '[Install]';
    else if (inside) lines.push(line.replace(/\s*=\s*/, '=').replaceAll(/\s+/g, ' '));
  }
  return lines;
}

const linkFolders: Readonly<Record<string, string>> = {
  WantedBy: 'wants',
  RequiredBy: 'requires',
  UpheldBy: 'upholds',
};

/** The links that enabling `unit` makes, by the [Install] section of its text. They may not exist. */
export function enablementLinks(unit: string, text: string): readonly string[] {
  const links: string[] = [];
  for (const line of installSection(text)) {
    const at = line.indexOf('=');
    const key = line.slice(0, at);
    const values = line
      .slice(at + 1)
      .split(' ')
      .filter((value) => value !== '');
    const folder = linkFolders[key];
    if (folder !== undefined) {
      links.push(...values.map((value) => `${unitDirectory}/${value}.${folder}/${unit}`));
    } else if (key === 'Alias') links.push(...values.map((value) => unitPath(value)));
  }
  return links;
}
