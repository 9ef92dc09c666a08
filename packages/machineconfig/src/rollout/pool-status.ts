import type { MachineConfigPool, MachineConfigPoolStatus } from '@slipway/api';
import type { Issue } from '@slipway/base';
import { type ConditionDraft, listNames, setConditions } from './conditions.ts';
import { isUpdated, type ObservedNode, whyUnavailable } from './observe-node.ts';
import type { Selection } from './select-nodes.ts';

/** What the last rendering of a pool said. */
export type RenderReport = {
  readonly failure?: { readonly reason: string; readonly message: string };
};

export type PoolStatusInput = {
  readonly pool: MachineConfigPool;
  readonly nodes: readonly ObservedNode[];
  /** Undefined: not rendered since the operator started; the condition stays as it is. */
  readonly render?: RenderReport;
  /** Malformed settings of the pool. */
  readonly issues: readonly Issue[];
  /** Nodes that match this pool and another custom one. */
  readonly conflicts: readonly string[];
  /** What was decided in this round; undefined while the pool is paused or not rendered. */
  readonly selection?: Selection;
  /** RFC 3339. */
  readonly now: string;
};

type Counts = {
  readonly total: number;
  readonly updated: readonly ObservedNode[];
  readonly ready: number;
  readonly unavailable: number;
  readonly degraded: readonly ObservedNode[];
};

function countNodes(nodes: readonly ObservedNode[], target: string | undefined): Counts {
  const updated = target === undefined ? [] : nodes.filter((node) => isUpdated(node, target));
  return {
    total: nodes.length,
    updated,
    ready: updated.filter((node) => whyUnavailable(node) === undefined).length,
    unavailable: nodes.filter((node) => whyUnavailable(node) !== undefined).length,
    degraded: nodes.filter((node) => node.contract.state.kind === 'degraded'),
  };
}

function isComplete(counts: Counts, target: string | undefined): boolean {
  return (
    target !== undefined && counts.updated.length === counts.total && counts.ready === counts.total
  );
}

function progressMessage(input: PoolStatusInput, counts: Counts, target: string): string {
  const parts = [`${counts.updated.length} of ${counts.total} nodes have ${target}`];
  const updated = new Set(counts.updated);
  const changing = input.nodes.filter(
    (node) => !updated.has(node) && node.contract.desired === target,
  );
  const failing = new Set(counts.degraded);
  const named = (nodes: readonly ObservedNode[]) => listNames(nodes.map(({ name }) => name));
  const working = changing.filter((node) => !failing.has(node));
  const stuck = changing.filter((node) => failing.has(node));
  if (working.length > 0) parts.push(`updating: ${named(working)}`);
  if (stuck.length > 0) parts.push(`degraded: ${named(stuck)}`);
  const waiting = (input.selection?.waiting ?? []).map(({ node, reason }) => `${node} (${reason})`);
  if (waiting.length > 0) parts.push(`waiting: ${listNames(waiting)}`);
  const away = counts.updated
    .map((node) => ({ name: node.name, why: whyUnavailable(node) }))
    .filter(({ why }) => why !== undefined)
    .map(({ name, why }) => `${name} (${why})`);
  if (away.length > 0) parts.push(`updated but unavailable: ${listNames(away)}`);
  return parts.join('; ');
}

function progressDrafts(input: PoolStatusInput, counts: Counts): readonly ConditionDraft[] {
  const target = input.pool.spec?.configuration?.name;
  const paused = input.pool.spec?.paused === true;
  if (isComplete(counts, target)) {
    const message =
      counts.total === 0
        ? 'the pool has no nodes'
        : `all nodes of the pool (${counts.total}) have ${target}`;
    return [
      { type: 'Updated', status: 'True', reason: 'AllNodesUpdated', message },
      { type: 'Updating', status: 'False', reason: 'AllNodesUpdated', message },
    ];
  }
  const [reason, message] = outstanding(input, counts, target);
  return [
    { type: 'Updated', status: 'False', reason, message },
    {
      type: 'Updating',
      status: paused || target === undefined ? 'False' : 'True',
      reason,
      message,
    },
  ];
}

function outstanding(
  input: PoolStatusInput,
  counts: Counts,
  target: string | undefined,
): readonly [string, string] {
  if (target === undefined) return ['NotRendered', 'no configuration has been rendered yet'];
  const progress = progressMessage(input, counts, target);
  if (input.pool.spec?.paused === true)
    return ['Paused', `the pool is paused and does not update to ${target}: ${progress}`];
  return ['RollingOut', progress];
}

function nodeDegraded(input: PoolStatusInput, counts: Counts): ConditionDraft {
  const type = 'NodeDegraded';
  const causes = counts.degraded.map((node) => {
    const { state } = node.contract;
    return `node ${node.name}: ${state.kind === 'degraded' ? state.reason : ''}`;
  });
  const conflicts = input.conflicts.map(
    (name) => `node ${name}: matches more than one custom pool`,
  );
  if (causes.length > 0)
    return {
      type,
      status: 'True',
      reason: 'NodesDegraded',
      message: listNames([...causes, ...conflicts]),
    };
  if (conflicts.length > 0)
    return { type, status: 'True', reason: 'AmbiguousMembership', message: listNames(conflicts) };
  return { type, status: 'False', reason: 'AsExpected', message: 'no node reports a failure' };
}

function renderDegraded(input: PoolStatusInput): ConditionDraft | undefined {
  if (input.render === undefined) return undefined;
  const type = 'RenderDegraded';
  const { failure } = input.render;
  if (failure !== undefined) return { type, status: 'True', ...failure };
  return { type, status: 'False', reason: 'AsExpected', message: 'the configuration is rendered' };
}

function previousRender(pool: MachineConfigPool): ConditionDraft | undefined {
  const was = pool.status?.conditions?.find(({ type }) => type === 'RenderDegraded');
  if (was === undefined) return undefined;
  return {
    type: was.type,
    status: was.status,
    reason: was.reason ?? '',
    message: was.message ?? '',
  };
}

/** True when anything below it is; reason and message are those of the causes. */
function degraded(
  causes: readonly (ConditionDraft | undefined)[],
  issues: readonly Issue[],
): ConditionDraft {
  const failing = causes.filter((cause) => cause?.status === 'True');
  const reasons = failing.map((cause) => cause?.reason ?? '');
  const messages = failing.map((cause) => cause?.message ?? '');
  if (issues.length > 0) {
    reasons.push('InvalidPool');
    messages.push(...issues.map((issue) => `${issue.path}: ${issue.message}`));
  }
  const [reason] = reasons;
  if (reason === undefined)
    return {
      type: 'Degraded',
      status: 'False',
      reason: 'AsExpected',
      message: 'nothing is failing',
    };
  return { type: 'Degraded', status: 'True', reason, message: messages.join('; ') };
}

/** The status of a pool: counts, conditions that name nodes and causes, and what was last rolled out. */
export function poolStatus(input: PoolStatusInput): MachineConfigPoolStatus {
  const { pool } = input;
  const target = pool.spec?.configuration;
  const counts = countNodes(input.nodes, target?.name);
  const render = renderDegraded(input);
  const node = nodeDegraded(input, counts);
  const drafts = [
    ...progressDrafts(input, counts),
    degraded([render ?? previousRender(pool), node], input.issues),
    node,
    ...(render === undefined ? [] : [render]),
  ];
  const rolledOut = isComplete(counts, target?.name) ? target : pool.status?.configuration;
  return {
    ...pool.status,
    ...(pool.metadata?.generation === undefined
      ? {}
      : { observedGeneration: pool.metadata.generation }),
    ...(rolledOut === undefined ? {} : { configuration: rolledOut }),
    machineCount: counts.total,
    updatedMachineCount: counts.updated.length,
    readyMachineCount: counts.ready,
    unavailableMachineCount: counts.unavailable,
    degradedMachineCount: counts.degraded.length,
    conditions: setConditions(pool.status?.conditions, drafts, input.now),
  };
}
