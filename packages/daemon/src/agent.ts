import {
  type ConfigName,
  type DrainRequest,
  isDrainApplied,
  type NodeContract,
} from '@slipway/api';
import { type BackoffOptions, backoffDelayMs, TerminalError } from '@slipway/base';
import type { AgentDependencies } from './agent-dependencies.ts';
import { type Decision, decide } from './decide.ts';
import { describeDrift } from './drift/describe-drift.ts';
import type { Failure } from './errors.ts';
import { isOwnFailure, toFailure } from './failure.ts';
import type { Standing } from './reporter.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import {
  forgetFailedAttempts,
  isHeld,
  isRebootLoop,
  readReboots,
  rebootLoop,
  retryDelayMs,
  writeFailedAttempts,
} from './state/attempts.ts';
import { readStoredConfig, writeStoredConfig } from './state/stored-config.ts';
import { draftUpdate } from './update/draft.ts';
import type { Attention } from './update/executor.ts';
import { describeActions, type UpdatePlan } from './update/update-plan.ts';
import type { NewUpdate, UpdateResult } from './update/updater.ts';

/** The host is looked at again after this time even when nothing was heard of it, ms. */
export const sweepIntervalMs = 60_000;
/** A reboot that was accepted has this long to come before it is asked for again, ms. */
const rebootPatienceMs = 300_000;

const againMs = 0;
const stuckBackoff: BackoffOptions = { initialMs: 2_000, maxMs: 60_000, jitter: 0 };

/** One round: observe, decide, act. The result is when the next round is due, ms. */
export class Agent {
  readonly #dependencies: AgentDependencies;
  #stuckRounds = 0;
  /** When this process last asked for a reboot, by the wall clock, ms. */
  #rebootAskedAtMs: number | undefined;

  constructor(dependencies: AgentDependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws what kept the round from its end; when that is the host's fault, the node says so. */
  async round(): Promise<number> {
    const contract = this.#dependencies.contract();
    try {
      return await this.#look(contract);
    } catch (error) {
      if (isOwnFailure(error)) await this.#reportBroken(error, contract);
      throw error;
    }
  }

  async #reportBroken(error: unknown, { state }: NodeContract): Promise<void> {
    const failure = toFailure(error, 'daemon.host-unreadable');
    const current = state.current === undefined ? {} : { current: state.current };
    await this.#dependencies.reporter.say({ kind: 'degraded', failure, drift: [], ...current });
  }

  async #look(contract: NodeContract): Promise<number> {
    await this.#recoverRecord(contract);
    const snapshot = await takeSnapshot(this.#dependencies, contract);
    await this.#dependencies.watch(snapshot.expected);
    return this.#act(decide(snapshot.situation), snapshot);
  }

  /** A host that lost the daemon's record takes it from the API, by the name in the annotation. */
  async #recoverRecord({ state }: NodeContract): Promise<void> {
    const { files, source, updater, logger } = this.#dependencies;
    if (state.current === undefined || (await readStoredConfig(files, 'current'))) return;
    if ((await updater.journal()) !== undefined) return;
    try {
      await writeStoredConfig(files, 'current', await source.config(state.current));
      logger.warn('record of the current configuration was missing', { config: state.current });
    } catch (error) {
      // It is gone from the API as well: the host is adopted as one that was never managed.
      if (!(error instanceof TerminalError)) throw error;
    }
  }

  async #act(decision: Decision, snapshot: Snapshot): Promise<number> {
    switch (decision.kind) {
      case 'wait':
        return sweepIntervalMs;
      case 'settled':
        return this.#settle(decision.current, snapshot);
      case 'drifted':
        return this.#reportDrift(snapshot);
      case 'failed':
        await this.#degrade(decision.failure, snapshot);
        return decision.held ? sweepIntervalMs : Math.min(decision.waitMs, sweepIntervalMs);
      case 'update':
        return this.#update(decision.to, decision.forced, snapshot);
      default:
        return this.#goOn(decision.kind, snapshot);
    }
  }

  /** An update is in progress. */
  async #goOn(
    kind: 'resume' | 'abandon' | 'reboot-again' | 'give-up-reboot' | 'complete-after-boot',
    snapshot: Snapshot,
  ): Promise<number> {
    const { updater } = this.#dependencies;
    const { journal } = snapshot;
    if (journal === undefined) return againMs;
    const { plan } = journal;
    const patienceMs = this.#rebootPatienceMs();
    // The machine is going down: what wakes the daemon meanwhile is no reason to ask again.
    if (patienceMs > 0 && (kind === 'reboot-again' || kind === 'give-up-reboot')) return patienceMs;
    switch (kind) {
      case 'resume':
      case 'reboot-again':
        return this.#conclude(plan, snapshot, await updater.resume(journal, this.#attention(plan)));
      case 'abandon':
        return this.#conclude(plan, snapshot, await updater.undo(journal));
      case 'give-up-reboot':
        return this.#conclude(plan, snapshot, await updater.undo(journal, rebootLoop(plan.to)));
      case 'complete-after-boot':
        return this.#conclude(plan, snapshot, await updater.completeAfterBoot(journal));
    }
  }

  /** How long the reboot that this process asked for may still take to come, ms. */
  #rebootPatienceMs(): number {
    if (this.#rebootAskedAtMs === undefined) return 0;
    const passedMs = Math.abs(this.#dependencies.now() - this.#rebootAskedAtMs);
    return Math.max(0, rebootPatienceMs - passedMs);
  }

  async #settle(current: ConfigName, snapshot: Snapshot): Promise<number> {
    const { files, reporter } = this.#dependencies;
    const { contract } = snapshot.situation;
    const drain =
      contract.drainRequest?.verb === 'drain'
        ? { drain: { verb: 'uncordon', config: current } as const }
        : {};
    if (snapshot.failed !== undefined) await forgetFailedAttempts(files);
    await reporter.say({ kind: 'done', current }, { desired: current, ...drain });
    return sweepIntervalMs;
  }

  async #reportDrift(snapshot: Snapshot): Promise<number> {
    const message = describeDrift(snapshot.situation.findings);
    await this.#degrade({ code: 'daemon.config-drift', message }, snapshot);
    return sweepIntervalMs;
  }

  /** Says that the node failed; a node that was drained for nothing goes back to work. */
  async #degrade(failure: Failure, { situation }: Snapshot): Promise<void> {
    const { current, findings } = situation;
    const contract = this.#dependencies.contract();
    const { desired, drainRequest } = contract;
    const drain =
      drainRequest?.verb === 'drain'
        ? { drain: { verb: 'uncordon', config: drainRequest.config } as const }
        : {};
    await this.#dependencies.reporter.say(
      { kind: 'degraded', failure, drift: findings, ...(current === undefined ? {} : { current }) },
      { ...(desired === undefined ? {} : { desired }), ...drain },
    );
  }

  async #update(to: ConfigName, forced: boolean, snapshot: Snapshot): Promise<number> {
    const { source, files, host } = this.#dependencies;
    const previous = snapshot.stored === undefined ? {} : { previous: snapshot.stored };
    try {
      const target = await source.config(to);
      const answer = await source.policy();
      if (answer.kind === 'wait') return answer.afterMs;
      const { policy } = answer;
      const { findings } = snapshot.situation;
      const input = { host, files, target, policy, forced, findings, ...previous };
      const draft = await draftUpdate(input);
      if (draft.kind === 'drifted') return await this.#reportDrift(snapshot);
      if (draft.kind === 'refused') return await this.#fail(to, forced, draft.failure, snapshot);
      return await this.#begin(draft.update, snapshot);
    } catch (error) {
      if (!isOwnFailure(error)) throw error;
      return this.#fail(to, forced, toFailure(error, 'daemon.write-failed'), snapshot);
    }
  }

  /** Everything is known: drain first where that is needed, then carry the plan out. */
  async #begin(update: NewUpdate, snapshot: Snapshot): Promise<number> {
    const { files, updater, now } = this.#dependencies;
    const { plan } = update;
    if (plan.reboot && isRebootLoop(await readReboots(files), plan.to, now())) {
      return this.#fail(plan.to, plan.forced, rebootLoop(plan.to), snapshot);
    }
    if (!(await this.#isDrained(plan, snapshot))) return sweepIntervalMs;
    await this.#sayWorking(plan, snapshot, 'Applying');
    return this.#conclude(plan, snapshot, await updater.begin(update, this.#attention(plan)));
  }

  /** True when the plan may begin; else the request stands and its answer wakes the daemon. */
  async #isDrained(plan: UpdatePlan, snapshot: Snapshot): Promise<boolean> {
    const contract = this.#dependencies.contract();
    const asked = contract.drainRequest;
    if (!plan.drain) {
      // Asked for by a target that is gone.
      if (asked?.verb === 'drain') {
        const drain = { verb: 'uncordon', config: plan.to } as const;
        await this.#sayWorking(plan, snapshot, 'Applying', drain);
      }
      return true;
    }
    const request = { verb: 'drain', config: plan.to } as const;
    const stands = asked?.verb === request.verb && asked.config === request.config;
    if (stands && isDrainApplied(contract, request)) return true;
    await this.#sayWorking(plan, snapshot, 'Draining', request);
    return false;
  }

  /** A target that failed before stays degraded with its cause until it succeeds: no flapping. */
  async #sayWorking(
    plan: UpdatePlan,
    { situation, failed }: Snapshot,
    phase: 'Draining' | 'Applying' | 'Rebooting',
    drain?: DrainRequest,
  ): Promise<void> {
    const current = situation.current === undefined ? {} : { current: situation.current };
    const plannedActions = describeActions(plan);
    const standing: Standing =
      failed?.config === plan.to
        ? {
            kind: 'degraded',
            failure: failed.failure,
            drift: [],
            phase,
            plannedActions,
            ...current,
          }
        : { kind: 'working', phase, plannedActions, ...current };
    const wish = drain === undefined ? {} : { drain };
    await this.#dependencies.reporter.say(standing, { desired: plan.to, ...wish });
  }

  #attention(plan: UpdatePlan): () => Attention {
    const { stopping, contract } = this.#dependencies;
    return () => {
      if (stopping()) return 'stop';
      const { desired } = contract();
      return desired === undefined || desired === plan.to ? 'go' : 'abandon';
    };
  }

  async #conclude(plan: UpdatePlan, snapshot: Snapshot, result: UpdateResult): Promise<number> {
    const { logger, files } = this.#dependencies;
    logger.info('update ended', { config: plan.to, result: result.kind });
    this.#rebootAskedAtMs = result.kind === 'rebooting' ? this.#dependencies.now() : undefined;
    switch (result.kind) {
      case 'applied':
      case 'completed':
        this.#stuckRounds = 0;
        if (snapshot.failed !== undefined) await forgetFailedAttempts(files);
        return againMs;
      case 'rebooting':
        await this.#sayWorking(plan, snapshot, 'Rebooting');
        return rebootPatienceMs;
      case 'interrupted':
        return sweepIntervalMs;
      case 'undone':
        this.#stuckRounds = 0;
        if (result.failure === undefined) return againMs;
        return this.#fail(plan.to, plan.forced, result.failure, snapshot);
      case 'stuck':
        this.#stuckRounds += 1;
        logger.error('update is stuck', { config: plan.to, cause: result.cause });
        await this.#degrade(result.failure, snapshot);
        return backoffDelayMs(this.#stuckRounds - 1, stuckBackoff);
    }
  }

  /** Remembers the failure, so that the same target is tried again ever less often, and says so. */
  async #fail(
    config: ConfigName,
    forced: boolean,
    failure: Failure,
    snapshot: Snapshot,
  ): Promise<number> {
    const { files, now } = this.#dependencies;
    const earlier = snapshot.failed?.config === config ? snapshot.failed.count : 0;
    const held = isHeld(failure);
    const failed = { config, forced, failure, count: earlier + 1, lastAtMs: now(), held };
    await writeFailedAttempts(files, failed);
    await this.#degrade(failure, snapshot);
    return held ? sweepIntervalMs : Math.min(retryDelayMs(failed, now()), sweepIntervalMs);
  }
}
