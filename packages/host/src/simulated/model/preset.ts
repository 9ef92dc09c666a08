import type { HostFiles, HostPath } from '../../host.ts';

/** Where presets are looked for, first wins a file name (`systemd.preset(5)`). */
const presetPath: readonly HostPath[] = [
  '/etc/systemd/system-preset',
  '/run/systemd/system-preset',
  '/usr/local/lib/systemd/system-preset',
  '/usr/lib/systemd/system-preset',
];

export type Preset = 'enable' | 'disable' | 'ignore';

/** What the vendor and the administrator want of a unit nobody decided about; without a rule it is enabled. */
export async function presetFor(files: HostFiles, unit: string): Promise<Preset> {
  const byName = new Map<string, HostPath>();
  for (const directory of presetPath) {
    for (const name of await files.list(directory)) {
      if (name.endsWith('.preset') && !byName.has(name)) byName.set(name, `${directory}/${name}`);
    }
  }
  for (const [, path] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if ((await files.stat(path))?.type !== 'file') continue;
    const preset = ruleIn(new TextDecoder().decode(await files.read(path)), unit);
    if (preset !== undefined) return preset;
  }
  return 'enable';
}

function ruleIn(text: string, unit: string): Preset | undefined {
  for (const line of text.split('\n')) {
    const [verb, pattern] = line.trim().split(/\s+/);
    if (pattern === undefined || !matches(pattern, unit)) continue;
    if (verb === 'enable' || verb === 'disable' || verb === 'ignore') return verb;
  }
  return undefined;
}

/** Shell patterns of `fnmatch(3)`: `*`, `?` and `[abc]`. */
function matches(pattern: string, unit: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(unit);
}
