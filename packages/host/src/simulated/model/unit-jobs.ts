import { randomBytes } from 'node:crypto';
import { terminal } from '../../errors.ts';
import type { HostFiles } from '../../host.ts';
import { meetsAll } from './condition.ts';
import { runReload, runService } from './service-run.ts';
import type { UnitRuntime } from './systemd-state.ts';
import type { UnitMemory } from './unit-memory.ts';
import { unitType } from './unit-name.ts';
import { wordsOf } from './unit-text.ts';

function refused(verb: string, unit: string, words: string): Error {
  return terminal('host.systemd.failed', `systemctl ${verb} ${unit}: ${words}`);
}

/** The state of an active unit that runs no program (`systemctl show -p SubState`). */
const activeSubStates: Readonly<Record<string, string>> = {
  target: 'active',
  slice: 'active',
  socket: 'listening',
  timer: 'waiting',
  path: 'waiting',
  mount: 'mounted',
};

/** Jobs of the simulated systemd on the units in memory. */
export class UnitJobs {
  readonly #files: HostFiles;
  readonly #memory: UnitMemory;

  constructor(files: HostFiles, memory: UnitMemory) {
    this.#files = files;
    this.#memory = memory;
  }

  async start(unit: string, verb = 'start', visiting: Set<string> = new Set()): Promise<void> {
    const runtime = await this.#startable(verb, unit);
    const { definition } = runtime;
    if (runtime.activeState === 'active' || visiting.has(definition.unit)) return;
    visiting.add(definition.unit);
    for (const conflict of wordsOf(definition.settings, 'Unit.Conflicts')) {
      await this.#deactivate(conflict);
    }
    await this.#startNeeded(verb, runtime, visiting);
    if (!(await meetsAll(this.#files, definition.settings, 'Condition'))) return;
    if (!(await meetsAll(this.#files, definition.settings, 'Assert'))) {
      throw refused(verb, unit, `Assertion failed on job for ${unit}.`);
    }
    await this.#activate(verb, runtime);
  }

  async stop(unit: string): Promise<void> {
    const runtime = await this.#memory.get(unit);
    if (runtime.definition.loadState === 'not-found' && runtime.activeState === 'inactive') {
      throw refused('stop', unit, `Failed to stop ${unit}: Unit ${unit} not loaded.`);
    }
    await this.#deactivate(unit);
  }

  async restart(unit: string): Promise<void> {
    const { definition } = await this.#startable('restart', unit);
    const followers = this.#followers(definition.unit);
    await this.#deactivate(unit);
    await this.start(unit, 'restart');
    for (const follower of followers) await this.start(follower, 'restart');
  }

  async reload(unit: string): Promise<void> {
    const { definition, activeState } = await this.#startable('reload', unit);
    const { settings } = definition;
    if ((settings['Service.ExecReload'] ?? []).length === 0) {
      const words = `Job type reload is not applicable for unit ${unit}.`;
      throw refused('reload', unit, `Failed to reload ${unit}: ${words}`);
    }
    if (activeState !== 'active') {
      throw refused('reload', unit, `${unit} is not active, cannot reload.`);
    }
    const status = await runReload(this.#files, unit, settings);
    if (status !== 0) throw refused('reload', unit, failedJob(unit, `status ${status}`));
  }

  async #startable(verb: string, unit: string): Promise<UnitRuntime> {
    const runtime = await this.#memory.get(unit);
    const { loadState } = runtime.definition;
    const words: Readonly<Record<string, string>> = {
      'not-found': `Unit ${unit} not found.`,
      masked: `Unit ${unit} is masked.`,
      'bad-setting': `Unit ${unit} has a bad unit file setting.`,
    };
    const reason = words[loadState];
    if (reason === undefined) return runtime;
    throw refused(verb, unit, `Failed to ${verb} ${unit}: ${reason}`);
  }

  async #startNeeded(verb: string, runtime: UnitRuntime, visiting: Set<string>): Promise<void> {
    const { unit, requires, wants } = runtime.definition;
    for (const required of requires) {
      try {
        await this.start(required, verb, visiting);
      } catch (error) {
        const words = `A dependency job for ${unit} failed. See 'journalctl -xe' for details.`;
        throw terminal('host.systemd.failed', `systemctl ${verb} ${unit}: ${words}`, error);
      }
    }
    // What is only wanted may fail.
    for (const wanted of wants) await this.start(wanted, verb, visiting).catch(() => undefined);
  }

  async #activate(verb: string, runtime: UnitRuntime): Promise<void> {
    const { definition } = runtime;
    const invocationId = randomBytes(16).toString('hex');
    if (unitType(definition.unit) !== 'service') {
      const subState = activeSubStates[unitType(definition.unit)] ?? 'active';
      this.#memory.set({ ...runtime, activeState: 'active', subState, invocationId });
      return;
    }
    const run = await runService(this.#files, definition.unit, definition.settings);
    const { activeState, subState, result, status } = run;
    this.#memory.set({ definition, activeState, subState, result, status, invocationId });
    if (!run.refusesStart) return;
    const ended = status === 0 ? '' : ` (status ${status})`;
    throw refused(verb, definition.unit, failedJob(definition.unit, `result ${result}${ended}`));
  }

  async #deactivate(unit: string): Promise<void> {
    const runtime = await this.#memory.get(unit);
    if (runtime.activeState !== 'active') return;
    for (const follower of this.#followers(runtime.definition.unit)) {
      await this.#deactivate(follower);
    }
    this.#memory.set({ ...runtime, activeState: 'inactive', subState: 'dead', result: 'success' });
  }

  /** Units that an explicit stop or restart of `unit` takes along. */
  #followers(unit: string): readonly string[] {
    return this.#memory.activeNaming(unit, ['Unit.Requires', 'Unit.BindsTo', 'Unit.PartOf']);
  }
}

function failedJob(unit: string, result: string): string {
  return `Job for ${unit} failed because the control process exited with error code.; ${result}`;
}
