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
  const links = new Map<string, readonly string[]>();
  for (const line of installSection(text)) {
    const at = line.indexOf('=');
    const key = line.slice(0, at);
    const values = line.slice(at + 1).split(' ');
    const named = values
      .filter((value) => value !== '')
      .flatMap((value) => linkOf(key, value, unit));
    // An empty assignment takes back those before it.
    links.set(key, values[0] === '' ? [] : [...(links.get(key) ?? []), ...named]);
  }
  return [...links.values()].flat();
}

function linkOf(key: string, value: string, unit: string): readonly string[] {
  const folder = linkFolders[key];
  if (folder !== undefined) return [`${unitDirectory}/${value}.${folder}/${unit}`];
  return key === 'Alias' && value !== unit ? [unitPath(value)] : [];
}

/** True for links whose names every systemd works out as `enablementLinks` does. */
export function isCertainLink(unit: string, link: string): boolean {
  // Specifiers and templates are expanded by systemd; `upholds` is unknown to those before 254.
  if (/[%"']|\.upholds\//.test(link) || unit.includes('@.')) return false;
  return (
    templateUnit(unit) === undefined || link.includes('.wants/') || link.includes('.requires/')
  );
}
