import { terminal } from '../errors.ts';
import type { HostFiles, Systemd, UnitStatus } from '../host.ts';
import { presetFor } from './model/preset.ts';
import { poweredOff, type SystemdStateFile } from './model/systemd-state.ts';
import { UnitJobs } from './model/unit-jobs.ts';
import { UnitLinks } from './model/unit-links.ts';
import { UnitMemory } from './model/unit-memory.ts';
import { fullName } from './model/unit-name.ts';

/** What a verb works on. */
type Session = { readonly memory: UnitMemory; readonly jobs: UnitJobs };

/**
 * A model of systemd over the unit files of a simulated root. It runs no programs; everything else
 * that can be observed by `Systemd` follows the real one, and the contract suite holds it to that.
 * One operation runs at a time, as one job queue does.
 */
export class SimulatedSystemd implements Systemd {
  readonly #files: HostFiles;
  readonly #state: SystemdStateFile;
  readonly #links: UnitLinks;
  #last: Promise<unknown> = Promise.resolve();

  constructor(files: HostFiles, state: SystemdStateFile) {
    this.#files = files;
    this.#state = state;
    this.#links = new UnitLinks(files);
  }

  daemonReload(): Promise<void> {
    return this.#run(({ memory }) => memory.reload());
  }

  enable(unit: string) {
    return this.#link(() => this.#links.enable(fullName(unit)));
  }

  disable(unit: string) {
    return this.#link(() => this.#links.disable(fullName(unit)));
  }

  mask(unit: string) {
    return this.#link(() => this.#links.mask(fullName(unit)));
  }

  unmask(unit: string) {
    return this.#link(() => this.#links.unmask(fullName(unit)));
  }

  preset(unit: string) {
    return this.#link(async () => {
      const name = fullName(unit);
      const preset = await presetFor(this.#files, name);
      if (preset === 'disable') await this.#links.disable(name);
      if (preset === 'enable') await this.#links.enable(name);
    });
  }

  start(unit: string) {
    return this.#run(({ jobs }) => jobs.start(fullName(unit)));
  }

  stop(unit: string) {
    return this.#run(({ jobs }) => jobs.stop(fullName(unit)));
  }

  restart(unit: string) {
    return this.#run(({ jobs }) => jobs.restart(fullName(unit)));
  }

  reload(unit: string) {
    return this.#run(({ jobs }) => jobs.reload(fullName(unit)));
  }

  status(unit: string): Promise<UnitStatus> {
    const name = fullName(unit);
    return this.#run(async ({ memory }) => {
      const runtime = await memory.get(name);
      const { definition, activeState, subState, invocationId } = runtime;
      return {
        loadState: definition.loadState,
        activeState,
        subState,
        unitFileState: await this.#links.state(name),
        invocationId,
        needDaemonReload: await memory.needsReload(runtime),
        canReload: (definition.settings['Service.ExecReload'] ?? []).length > 0,
      };
    });
  }

  /** A new boot: nothing runs, then the default target and what it wants is started. */
  powerOn(bootId: string): Promise<void> {
    return this.#alone(async () => {
      this.#state.write({ bootId, units: {} });
      const memory = new UnitMemory(this.#files, {});
      await new UnitJobs(this.#files, memory).start('default.target').catch(() => undefined);
      this.#state.write({ bootId, units: memory.toJson() });
    });
  }

  /** Everything ends at once, as when the power is cut. */
  powerOff(): Promise<void> {
    return this.#alone(async () => this.#state.write(poweredOff));
  }

  /** Link verbs make systemd read its files again, as `systemctl` does after them. */
  #link(change: () => Promise<void>): Promise<void> {
    return this.#run(async ({ memory }) => {
      await change();
      await memory.reload();
    });
  }

  #run<T>(operation: (session: Session) => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      const { bootId, units } = this.#state.read();
      if (bootId === '') {
        throw terminal('host.systemd.failed', 'ask systemd: the simulated host is powered off');
      }
      const memory = new UnitMemory(this.#files, units);
      const before = JSON.stringify(memory.toJson());
      try {
        return await operation({ memory, jobs: new UnitJobs(this.#files, memory) });
      } finally {
        const after = memory.toJson();
        if (JSON.stringify(after) !== before) this.#state.write({ bootId, units: after });
      }
    });
  }

  #alone<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#last.then(operation, operation);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
