import { posix } from 'node:path';
import { terminal } from '../../errors.ts';
import type { HostFiles, HostPath } from '../../host.ts';
import { loadDefinition } from './unit-definition.ts';
import { instanceOf, templateOf } from './unit-name.ts';
import {
  configDirectory,
  type Fragment,
  findFragment,
  runtimeDirectory,
  searchPath,
} from './unit-search.ts';
import { type Settings, wordsOf } from './unit-text.ts';

const folderAttributes = { mode: 0o755, uid: 0, gid: 0 };

function refused(verb: string, unit: string, words: string): Error {
  return terminal(
    'host.systemd.failed',
    `systemctl ${verb} ${unit}: Failed to ${verb} unit: ${words}`,
  );
}

/** The verbs that change links under `/etc/systemd/system`, and what the links say of a unit. */
export class UnitLinks {
  readonly #files: HostFiles;

  constructor(files: HostFiles) {
    this.#files = files;
  }

  /** What `systemctl is-enabled` prints; empty when there is no unit file. */
  async state(unit: string): Promise<string> {
    const fragment = await findFragment(this.#files, unit);
    if (fragment === undefined) return '';
    if (fragment.masked) {
      return fragment.path.startsWith(`${runtimeDirectory}/`) ? 'masked-runtime' : 'masked';
    }
    if (fragment.unit !== unit) return 'alias';
    if ((await this.#linksTo(configDirectory, [unit])).length > 0) return 'enabled';
    if ((await this.#linksTo(runtimeDirectory, [unit])).length > 0) return 'enabled-runtime';
    if (!searchPath.includes(posix.dirname(fragment.contentPath))) return 'linked';
    const { settings } = await loadDefinition(this.#files, unit);
    if (installRules(settings).length > 0) return 'disabled';
    return wordsOf(settings, 'Install.Also').length > 0 ? 'indirect' : 'static';
  }

  async enable(unit: string): Promise<void> {
    const fragment = await this.#installable('enable', unit);
    await this.#enable(fragment, new Set());
  }

  async disable(unit: string): Promise<void> {
    const fragment = await findFragment(this.#files, unit);
    if (fragment === undefined) {
      throw refused('disable', unit, `Unit file ${unit} does not exist.`);
    }
    // A masked unit is ignored with a warning.
    if (!fragment.masked) await this.#removeLinks(await this.#withAlso(fragment.unit));
  }

  async mask(unit: string): Promise<void> {
    const path = `${configDirectory}/${unit}`;
    const stat = await this.#files.stat(path);
    if (stat !== undefined && stat.type !== 'symlink') {
      throw refused('mask', unit, `File ${path} already exists.`);
    }
    if (stat !== undefined && (await this.#files.readLink(path)) !== '/dev/null') {
      throw refused('mask', unit, `File ${path} already exists and is a symlink.`);
    }
    await this.#link(path, '/dev/null');
  }

  async unmask(unit: string): Promise<void> {
    for (const directory of [configDirectory, runtimeDirectory]) {
      const path = `${directory}/${unit}`;
      if ((await this.#files.stat(path))?.type !== 'symlink') continue;
      if ((await this.#files.readLink(path)) === '/dev/null') await this.#files.remove(path);
    }
  }

  async #installable(verb: string, unit: string): Promise<Fragment> {
    const fragment = await findFragment(this.#files, unit);
    if (fragment === undefined) throw refused(verb, unit, `Unit file ${unit} does not exist.`);
    if (fragment.masked) throw refused(verb, unit, `Unit file ${fragment.path} is masked.`);
    return fragment;
  }

  async #enable(fragment: Fragment, done: Set<string>): Promise<void> {
    const { unit } = fragment;
    if (done.has(unit)) return;
    done.add(unit);
    const { settings } = await loadDefinition(this.#files, unit);
    if (templateOf(unit) === undefined && unit.includes('@.')) {
      throw refused('enable', unit, `Unit ${unit} is a template without an instance.`);
    }
    for (const rule of installRules(settings)) {
      const name = rule.path.replaceAll('%i', instanceOf(unit));
      const path = rule.kind === 'alias' ? name : `${name}/${unit}`;
      await this.#link(`${configDirectory}/${path}`, fragment.path);
    }
    for (const also of wordsOf(settings, 'Install.Also')) {
      await this.#enable(await this.#installable('enable', also), done);
    }
  }

  async #withAlso(unit: string, names: Set<string> = new Set()): Promise<ReadonlySet<string>> {
    if (names.has(unit)) return names;
    names.add(unit);
    const { settings } = await loadDefinition(this.#files, unit);
    for (const also of wordsOf(settings, 'Install.Also')) await this.#withAlso(also, names);
    return names;
  }

  async #removeLinks(units: ReadonlySet<string>): Promise<void> {
    for (const directory of [configDirectory, runtimeDirectory]) {
      for (const path of await this.#linksTo(directory, [...units])) {
        await this.#files.remove(path);
        const folder = posix.dirname(path);
        if (folder !== directory) await this.#files.removeDirectory(folder);
      }
    }
  }

  /** Links that enable one of `units`: in a `.wants` or `.requires` folder by name, or an alias by target. */
  async #linksTo(directory: HostPath, units: readonly string[]): Promise<readonly HostPath[]> {
    const links: HostPath[] = [];
    for (const name of await this.#files.list(directory)) {
      const path = `${directory}/${name}`;
      if (/\.(?:wants|requires|upholds)$/.test(name)) {
        const inside = (await this.#files.list(path)).filter((unit) => units.includes(unit));
        links.push(...inside.map((unit) => `${path}/${unit}`));
      } else if (await this.#isAlias(path, name, units)) {
        links.push(path);
      }
    }
    return links;
  }

  async #isAlias(path: HostPath, name: string, units: readonly string[]): Promise<boolean> {
    if ((await this.#files.stat(path))?.type !== 'symlink') return false;
    const target = posix.basename(await this.#files.readLink(path));
    return target !== name && units.includes(target);
  }

  async #link(path: HostPath, target: string): Promise<void> {
    const stat = await this.#files.stat(path);
    if (stat?.type === 'symlink' && (await this.#files.readLink(path)) === target) return;
    await this.#files.makeDirectory(posix.dirname(path), folderAttributes);
    await this.#files.symlink(path, target);
  }
}

type InstallRule = { readonly kind: 'folder' | 'alias'; readonly path: string };

function installRules(settings: Settings): readonly InstallRule[] {
  const folders = (key: string, suffix: string): readonly InstallRule[] =>
    wordsOf(settings, `Install.${key}`).map((unit) => ({
      kind: 'folder',
      path: `${unit}.${suffix}`,
    }));
  return [
    ...wordsOf(settings, 'Install.Alias').map((path) => ({ kind: 'alias', path }) as const),
    ...folders('WantedBy', 'wants'),
    ...folders('RequiredBy', 'requires'),
  ];
}
