import type { Node, NodeCondition } from '@slipway/api';

/** What was seen of a node's heartbeat: `renewTime` as text, and when, by our own monotonic clock, it last changed. */
export type Heartbeat = { readonly renewTime: string; readonly changedAtMs: number };

/** Takes note of a heartbeat. Only changes count: the clocks of hosts are not compared with ours. */
export function observeHeartbeat(
  before: Heartbeat | undefined,
  renewTime: string,
  nowMs: number,
): Heartbeat {
  return before?.renewTime === renewTime ? before : { renewTime, changedAtMs: nowMs };
}

const silent = {
  reason: 'NodeStatusUnknown',
  message: 'kubelet stopped posting node status',
} as const;

/** The moment of a decision, and how long a node may be silent. */
export type DecisionTime = {
  readonly monotonicMs: number;
  readonly graceMs: number;
  /** RFC 3339, for the conditions. */
  readonly now: string;
};

/**
 * The conditions to write when a node has been silent for longer than `graceMs`: all Unknown, as the
 * node lifecycle controller of Kubernetes writes them. Undefined when there is nothing to say.
 */
export function silentConditions(
  node: Node,
  heartbeat: Heartbeat,
  at: DecisionTime,
): readonly NodeCondition[] | undefined {
  if (at.monotonicMs - heartbeat.changedAtMs <= at.graceMs) return undefined;
  const conditions = node.status?.conditions ?? [];
  const ready = conditions.find((condition) => condition.type === 'Ready');
  if (ready?.status === 'Unknown') return undefined;
  const known = ready === undefined ? [...conditions, { type: 'Ready' }] : conditions;
  return known.map((condition) => ({
    ...condition,
    ...silent,
    status: 'Unknown' as const,
    lastTransitionTime: at.now,
  }));
}
