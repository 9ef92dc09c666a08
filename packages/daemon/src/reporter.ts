import {
  type ConfigName,
  type DrainRequest,
  type DriftFinding,
  encodeDrainRequest,
  encodeState,
  type NodeState,
} from '@slipway/api';
import { describeError, type Logger } from '@slipway/base';
import type { Failure } from './errors.ts';
import { type NodeReport, type NodeStatusWriter, reasonOf } from './node-status-writer.ts';
import type { NodeWriter } from './node-writer.ts';

/** What the node says of itself. */
export type Standing =
  | { readonly kind: 'done'; readonly current: ConfigName }
  | {
      readonly kind: 'working';
      readonly current?: ConfigName;
      readonly phase: Exclude<NodeReport['phase'], 'Idle'>;
      readonly plannedActions: readonly string[];
    }
  | {
      readonly kind: 'degraded';
      readonly current?: ConfigName;
      readonly failure: Failure;
      readonly drift: readonly DriftFinding[];
      /** Set while another try is made; the node stays degraded meanwhile. */
      readonly phase?: NodeReport['phase'];
      readonly plannedActions?: readonly string[];
    };

export type NodeEvent = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
};

/** Makes an Event on the Node. */
export type Announce = (event: NodeEvent) => void;

export type ReporterDependencies = {
  readonly node: NodeWriter;
  readonly status: NodeStatusWriter;
  readonly announce: Announce;
  readonly logger: Logger;
};

/** The voice of the daemon: annotations, MachineConfigNode and Events, all from one standing. */
export class Reporter {
  readonly #dependencies: ReporterDependencies;
  #said: Standing | undefined;

  constructor(dependencies: ReporterDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Says where the node stands and, when given, what it wants of the drain controller. Saying the same
   * again costs nothing. Throws when the annotations cannot be written.
   */
  async say(
    standing: Standing,
    target: { readonly desired?: ConfigName; readonly drain?: DrainRequest } = {},
  ): Promise<void> {
    const { node, status, logger } = this.#dependencies;
    const drain = target.drain === undefined ? {} : encodeDrainRequest(target.drain);
    // Begun together: a drift is to be seen in both places at once.
    const mirrored = status.write(reportOf(standing, target.desired)).catch((error: unknown) => {
      // The annotations are the contract; the mirror is tried again with the next round.
      logger.warn('machineconfignode not written', { error: describeError(error) });
    });
    await node.write({ ...encodeState(stateOf(standing)), ...drain });
    await mirrored;
    this.#announce(standing);
    this.#said = standing;
  }

  #announce(standing: Standing): void {
    const before = this.#said;
    const event = eventOf(before, standing);
    if (event !== undefined) this.#dependencies.announce(event);
  }
}

function stateOf(standing: Standing): Exclude<NodeState, { kind: 'unknown' }> {
  const current = standing.current === undefined ? {} : { current: standing.current };
  switch (standing.kind) {
    case 'done':
      return { kind: 'done', current: standing.current };
    case 'working':
      return { kind: 'working', ...current };
    case 'degraded':
      return { kind: 'degraded', ...current, reason: standing.failure.message };
  }
}

function reportOf(standing: Standing, desired: ConfigName | undefined): NodeReport {
  const names = {
    ...(standing.current === undefined ? {} : { current: standing.current }),
    ...(desired === undefined ? {} : { desired }),
  };
  switch (standing.kind) {
    case 'done':
      return { ...names, phase: 'Idle', drift: [], plannedActions: [] };
    case 'working':
      return {
        ...names,
        phase: standing.phase,
        drift: [],
        plannedActions: standing.plannedActions,
      };
    case 'degraded':
      return {
        ...names,
        phase: standing.phase ?? 'Idle',
        drift: standing.drift,
        plannedActions: standing.plannedActions ?? [],
        failure: standing.failure,
      };
  }
}

/** The Event of a transition; undefined when nothing changed that anybody would want to read. */
function eventOf(before: Standing | undefined, now: Standing): NodeEvent | undefined {
  switch (now.kind) {
    case 'done':
      return doneEvent(before, now.current);
    case 'working': {
      if (before?.kind === 'working' && before.phase === now.phase) return undefined;
      const actions = now.plannedActions.length === 0 ? 'none' : now.plannedActions.join(', ');
      return { type: 'Normal', reason: now.phase, message: `actions: ${actions}` };
    }
    case 'degraded':
      if (before?.kind === 'degraded' && before.failure.message === now.failure.message) {
        return undefined;
      }
      return { type: 'Warning', reason: reasonOf(now.failure), message: now.failure.message };
  }
}

function doneEvent(before: Standing | undefined, current: ConfigName): NodeEvent | undefined {
  if (before === undefined || (before.kind === 'done' && before.current === current)) {
    return undefined;
  }
  return before.kind === 'degraded' && before.current === current
    ? { type: 'Normal', reason: 'NodeRecovered', message: `the node has ${current} again` }
    : { type: 'Normal', reason: 'NodeDone', message: `the node has ${current}` };
}
