import {
  type Condition,
  type DriftFinding,
  type MachineConfigNode,
  machineConfigNodes,
  machineConfigurationApiVersion,
} from '@slipway/api';
import { type Clock, jsonEqual } from '@slipway/base';
import { isAlreadyExists, isNotFound, type KubeClient } from '@slipway/kube';
import type { Failure } from './errors.ts';

/** What the daemon says of its node beside the annotations. */
export type NodeReport = {
  readonly current?: string;
  readonly desired?: string;
  /** What the daemon is doing; shown as the reason of the condition Updating. */
  readonly phase: 'Idle' | 'Draining' | 'Applying' | 'Rebooting';
  readonly drift: readonly DriftFinding[];
  readonly plannedActions: readonly string[];
  /** Why the node is degraded. */
  readonly failure?: Failure;
};

type NodeStatus = NonNullable<MachineConfigNode['status']>;

/** Writes the daemon's part of MachineConfigNode's status; one request per change, none without. */
export class NodeStatusWriter {
  readonly #client: KubeClient;
  readonly #nodeName: string;
  readonly #clock: Clock;
  #written: NodeStatus | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(client: KubeClient, nodeName: string, clock: Clock) {
    this.#client = client;
    this.#nodeName = nodeName;
    this.#clock = clock;
  }

  /** Resolves when the status says `report`. Creates the object when the operator has not. */
  write(report: NodeReport): Promise<void> {
    const turn = this.#last.then(() => this.#write(report));
    // The next write waits for this one, whether or not it worked.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #write(report: NodeReport): Promise<void> {
    this.#written ??= await this.#read();
    const status = this.#statusOf(report, this.#written);
    const patch = patchOf(this.#written, status);
    if (patch === undefined) return;
    // Until the answer is there nobody knows what is stored: after a failure it is read again.
    this.#written = undefined;
    await this.#client.patch(
      machineConfigNodes,
      this.#nodeName,
      { type: 'merge', body: { status: patch } },
      { subresource: 'status' },
    );
    this.#written = status;
  }

  async #read(): Promise<NodeStatus> {
    try {
      return (await this.#client.get(machineConfigNodes, this.#nodeName)).status ?? {};
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#create();
      return {};
    }
  }

  async #create(): Promise<void> {
    try {
      await this.#client.create(machineConfigNodes, {
        apiVersion: machineConfigurationApiVersion,
        kind: machineConfigNodes.kind,
        metadata: { name: this.#nodeName },
        spec: { node: { name: this.#nodeName } },
      });
    } catch (error) {
      // The operator was faster.
      if (!isAlreadyExists(error)) throw error;
    }
  }

  #statusOf(report: NodeReport, before: NodeStatus): NodeStatus {
    const { current, desired, drift, plannedActions, failure } = report;
    const same =
      failure?.code === before.lastError?.code && failure?.message === before.lastError?.message;
    const time = (same ? before.lastError?.time : undefined) ?? this.#now();
    return {
      configVersion: {
        ...(current === undefined ? {} : { current }),
        ...(desired === undefined ? {} : { desired }),
      },
      conditions: conditionsOf(report, before.conditions ?? [], this.#now()),
      drift,
      plannedActions,
      ...(failure === undefined ? {} : { lastError: { ...failure, time } }),
    };
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }
}

/** The members that differ, as a merge patch; undefined when none does. */
function patchOf(before: NodeStatus, after: NodeStatus): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  const keys = ['configVersion', 'conditions', 'drift', 'plannedActions', 'lastError'] as const;
  for (const key of keys) {
    if (!jsonEqual(before[key], after[key])) patch[key] = after[key] ?? null;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function conditionsOf(
  report: NodeReport,
  before: readonly Condition[],
  now: string,
): readonly Condition[] {
  const { failure, drift, phase, current, desired } = report;
  const updating = phase !== 'Idle';
  const updated = !updating && failure === undefined && current !== undefined;
  const drafts: readonly Omit<Condition, 'lastTransitionTime'>[] = [
    condition('Updated', updated && current === (desired ?? current), 'AsDesired', 'NotAsDesired'),
    condition('Updating', updating, phase, 'Idle'),
    {
      ...condition('NodeDegraded', failure !== undefined, reasonOf(failure), 'AsExpected'),
      message: failure?.message ?? '',
    },
    condition('Drifted', drift.length > 0, 'ConfigDrift', 'AsExpected'),
  ];
  return drafts.map((draft) => {
    const old = before.find(({ type }) => type === draft.type);
    const kept = old?.status === draft.status ? old.lastTransitionTime : undefined;
    return { ...draft, lastTransitionTime: kept ?? now };
  });
}

function condition(
  type: string,
  holds: boolean,
  reason: string,
  otherwise: string,
): Omit<Condition, 'lastTransitionTime'> {
  return {
    type,
    status: holds ? 'True' : 'False',
    reason: holds ? reason : otherwise,
    message: '',
  };
}

/** `daemon.unknown-owner` → `UnknownOwner`: the form that conditions and events want. */
export function reasonOf(failure: Failure | undefined): string {
  const words = (failure?.code ?? '').replace(/^.*\./, '').split('-');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}
