import { describeError, type Logger } from '@slipway/base';
import { type Host, type HostPath, parentPath } from '@slipway/host';
import type { ExpectedState } from '../declaration/expected-state.ts';
import type { Failure } from '../errors.ts';
import { toFailure } from '../failure.ts';
import { Blobs } from '../state/blobs.ts';
import { type Journal, readJournal, writeJournal } from '../state/journal.ts';
import { StateFiles } from '../state/state-files.ts';
import { readStoredConfig, type StoredConfig, writeStoredConfig } from '../state/stored-config.ts';
import { type Attention, type ExecutionResult, executeSteps } from './executor.ts';
import { closeUndone, finishUpdate } from './finish.ts';
import type { ConfigOnHost, UpdateContext } from './step.ts';
import { isRunning } from './steps/run-action.ts';
import { stepsOf } from './steps-of.ts';
import type { UpdatePlan } from './update-plan.ts';

/** How an update ended, or where it stands. */
export type UpdateResult = ExecutionResult | { readonly kind: 'completed' };

export type UpdaterDependencies = {
  readonly host: Host;
  readonly stateDirectory: HostPath;
  readonly logger: Logger;
  /** Wall clock, ms. */
  readonly now: () => number;
  /** Lets `ms` pass. */
  readonly pause: (ms: number) => Promise<void>;
  /** Reads a stored configuration: needed to go on with an update that another process began. */
  readonly expect: (config: StoredConfig) => Promise<ExpectedState>;
};

export type NewUpdate = {
  readonly plan: UpdatePlan;
  readonly target: ConfigOnHost;
  /** Absent: adoption. */
  readonly previous?: ConfigOnHost;
};

/** Carries plans out on one host. Knows no API: all it needs to go on after a crash is on the disk. */
export class Updater {
  readonly files: StateFiles;
  readonly #dependencies: UpdaterDependencies;

  constructor(dependencies: UpdaterDependencies) {
    this.#dependencies = dependencies;
    this.files = new StateFiles(dependencies.host, dependencies.stateDirectory);
  }

  /** The update in progress. */
  journal(): Promise<Journal | undefined> {
    return readJournal(this.files);
  }

  /** Begins and carries out an update. There must be none in progress. */
  async begin(update: NewUpdate, attention: () => Attention): Promise<UpdateResult> {
    const { plan, target, previous } = update;
    await writeStoredConfig(this.files, 'update/target', target.config);
    if (previous !== undefined) {
      await writeStoredConfig(this.files, 'update/previous', previous.config);
    }
    const journal: Journal = {
      version: 1,
      plan,
      phase: 'applying',
      step: 0,
      newDirectories: await this.#missingDirectories(plan),
      staged: [],
      services: await this.#servicesOf(plan),
    };
    await writeJournal(this.files, journal);
    return this.#carryOut(this.#context(journal, target, previous), attention);
  }

  /** Goes on with the update in progress, in whichever direction it was going. */
  async resume(journal: Journal, attention: () => Attention): Promise<UpdateResult> {
    return this.#carryOut(await this.#storedContext(journal), attention);
  }

  /** Undoes the update in progress; without a failure because its target is no longer wanted. */
  async undo(journal: Journal, failure?: Failure): Promise<UpdateResult> {
    const reached = journal.reached ?? journal.step;
    const cause = failure === undefined ? {} : { firstError: failure };
    const undoing: Journal = { ...journal, phase: 'undoing', reached, ...cause };
    return this.#carryOut(await this.#storedContext(undoing), () => 'go');
  }

  /** Ends the update whose reboot has happened. */
  async completeAfterBoot(journal: Journal): Promise<UpdateResult> {
    await finishUpdate(await this.#storedContext(journal));
    return { kind: 'completed' };
  }

  async #carryOut(context: UpdateContext, attention: () => Attention): Promise<UpdateResult> {
    const journal = context.journal();
    const result =
      journal.phase === 'finishing'
        ? ({ kind: 'applied' } as const)
        : await executeSteps(stepsOf(journal.plan), context, attention);
    try {
      if (result.kind === 'applied') {
        await finishUpdate(context);
        return { kind: 'completed' };
      }
      if (result.kind === 'undone') await closeUndone(context);
      return result;
    } catch (error) {
      // Nothing is wrong with the host: only the records wait to be tidied.
      const failure = context.journal().firstError ?? toFailure(error, 'daemon.write-failed');
      return { kind: 'stuck', failure, cause: describeError(error) };
    }
  }

  /** For an update that another process began, or an earlier round. */
  async #storedContext(journal: Journal): Promise<UpdateContext> {
    const { plan } = journal;
    const previous =
      plan.from === undefined ? undefined : await this.#onHost('update/previous', plan.from);
    return this.#context(journal, await this.#onHost('update/target', plan.to), previous);
  }

  #context(
    initial: Journal,
    target: ConfigOnHost,
    previous: ConfigOnHost | undefined,
  ): UpdateContext {
    const { host, logger, now, pause } = this.#dependencies;
    let journal = initial;
    return {
      host,
      logger,
      now,
      pause,
      files: this.files,
      blobs: new Blobs(this.files),
      target,
      ...(previous === undefined ? {} : { previous }),
      journal: () => journal,
      record: async (change) => {
        const next = { ...journal, ...change };
        await writeJournal(this.files, next);
        journal = next;
      },
    };
  }

  async #onHost(slot: 'update/target' | 'update/previous', name: string): Promise<ConfigOnHost> {
    const config = (await readStoredConfig(this.files, slot)) ?? { name, spec: {} };
    return { config, expected: await this.#dependencies.expect(config) };
  }

  async #missingDirectories(plan: UpdatePlan): Promise<readonly HostPath[]> {
    const wanted = new Set<HostPath>();
    for (const { path, after } of plan.paths) {
      if (after.type === 'absent') continue;
      const last = after.type === 'directory' ? path : parentPath(path);
      for (const directory of ancestorsOf(last)) wanted.add(directory);
    }
    const missing: HostPath[] = [];
    for (const directory of wanted) {
      const found = await this.#dependencies.host.files.stat(directory);
      if (found === undefined) missing.push(directory);
    }
    return missing.sort((a, b) => a.length - b.length);
  }

  async #servicesOf(plan: UpdatePlan): Promise<Journal['services']> {
    const services: Record<string, Journal['services'][string]> = {};
    for (const action of plan.actions) {
      if (action.type === 'DaemonReload') continue;
      const status = await this.#dependencies.host.systemd.status(action.service);
      const { invocationId } = status;
      services[action.service] = { active: isRunning(status.activeState), invocationId };
    }
    return services;
  }
}

/** The directory and its parents, outermost first, without the root. */
function ancestorsOf(directory: HostPath): readonly HostPath[] {
  const names = directory.split('/').filter((name) => name !== '');
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}
