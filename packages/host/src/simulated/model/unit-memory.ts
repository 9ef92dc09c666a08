import type { HostFiles } from '../../host.ts';
import type { UnitRuntime } from './systemd-state.ts';
import { loadDefinition, needsReload, type UnitDefinition } from './unit-definition.ts';
import { wordsOf } from './unit-text.ts';

/**
 * The units that systemd holds in memory during one operation. An inactive unit that nothing active
 * refers to is forgotten, so its files are read anew at the next use without a daemon-reload.
 */
export class UnitMemory {
  readonly #files: HostFiles;
  readonly #units: Map<string, UnitRuntime>;

  constructor(files: HostFiles, units: Readonly<Record<string, UnitRuntime>>) {
    this.#files = files;
    this.#units = new Map(Object.entries(units));
    this.#forgetUnused();
  }

  /** The unit as it was loaded, loading it now when it is not in memory. */
  async get(name: string): Promise<UnitRuntime> {
    const known = this.#units.get(name);
    // A unit without a file is looked for again at each use.
    if (known !== undefined && known.definition.loadState !== 'not-found') return known;
    const definition = await loadDefinition(this.#files, name);
    const runtime = this.#units.get(definition.unit) ?? { ...unused(definition) };
    const merged =
      runtime.definition.loadState === 'not-found' ? { ...runtime, definition } : runtime;
    this.#units.set(definition.unit, merged);
    return merged;
  }

  set(runtime: UnitRuntime): void {
    this.#units.set(runtime.definition.unit, runtime);
  }

  /** Active units that name `unit` in one of these settings. */
  activeNaming(unit: string, settings: readonly string[]): readonly string[] {
    return [...this.#units.values()]
      .filter(({ activeState }) => activeState === 'active')
      .filter(({ definition }) =>
        settings.some((setting) => wordsOf(definition.settings, setting).includes(unit)),
      )
      .map(({ definition }) => definition.unit);
  }

  /** `daemon-reload`: definitions anew, what runs goes on. */
  async reload(): Promise<void> {
    for (const [name, runtime] of this.#units) {
      this.#units.set(name, { ...runtime, definition: await loadDefinition(this.#files, name) });
    }
    this.#forgetUnused();
  }

  needsReload(runtime: UnitRuntime): Promise<boolean> {
    return needsReload(this.#files, runtime.definition);
  }

  toJson(): Readonly<Record<string, UnitRuntime>> {
    this.#forgetUnused();
    return Object.fromEntries(this.#units);
  }

  #forgetUnused(): void {
    const used = new Set<string>();
    const roots = [...this.#units.values()].filter(({ activeState }) => activeState !== 'inactive');
    const queue = roots.map(({ definition }) => definition.unit);
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (used.has(name)) continue;
      used.add(name);
      const definition = this.#units.get(name)?.definition;
      if (definition !== undefined) queue.push(...referredUnits(definition));
    }
    for (const name of [...this.#units.keys()]) if (!used.has(name)) this.#units.delete(name);
  }
}

function referredUnits(definition: UnitDefinition): readonly string[] {
  const { wants, requires, settings } = definition;
  const others = ['Unit.After', 'Unit.Before', 'Unit.PartOf', 'Unit.Conflicts'];
  return [...wants, ...requires, ...others.flatMap((name) => wordsOf(settings, name))];
}

function unused(definition: UnitDefinition): UnitRuntime {
  const idle = { activeState: 'inactive', subState: 'dead', invocationId: '' };
  return { definition, ...idle, result: 'success', status: 0 };
}
