import { decodeNode, type MachineConfigPool, masterPoolName, type Node } from '@slipway/api';
import type { Issue } from '@slipway/base';
import {
  membershipOf,
  type ObservedNode,
  observeNode,
  poolIssues,
  resolveMaxUnavailable,
  type Selection,
  selectNodes,
} from '@slipway/machineconfig';

/** The nodes of one pool, and those that would be but for another custom pool. */
export type PoolView = {
  readonly members: readonly ObservedNode[];
  /** Members that are not targeted yet, because they may turn out to belong elsewhere. */
  readonly newcomers: ReadonlySet<string>;
  /** When to look again because of newcomers, in ms; undefined without any. */
  readonly lookAgainMs?: number;
  readonly conflicts: readonly string[];
};

const roleLabelPrefix = 'node-role.kubernetes.io/';
/** So long after it registered a node without any role may still get one: kubeadm labels control planes late. */
const roleGraceMs = 10_000;

/** How long a node that has no role and no target is still waited for, in ms; 0: not at all. */
function roleGraceLeft(node: Node, nowMs: number): number {
  const labels = Object.keys(node.metadata?.labels ?? {});
  if (labels.some((label) => label.startsWith(roleLabelPrefix))) return 0;
  if (decodeNode(node).desired !== undefined) return 0;
  const createdMs = Date.parse(node.metadata?.creationTimestamp ?? '');
  return Number.isNaN(createdMs) ? 0 : Math.max(0, createdMs + roleGraceMs - nowMs);
}

/** Sorts out the nodes of `pool`: one pass over all nodes. */
export function viewPool(
  pool: MachineConfigPool,
  pools: readonly MachineConfigPool[],
  nodes: readonly Node[],
  nowMs: number,
): PoolView {
  const name = pool.metadata?.name ?? '';
  const members: ObservedNode[] = [];
  const newcomers = new Map<string, number>();
  const conflicts: string[] = [];
  for (const node of nodes) {
    const membership = membershipOf(node, pools);
    if (membership.kind === 'member' && membership.pool === name) {
      members.push(observeNode(node));
      const graceMs = roleGraceLeft(node, nowMs);
      if (graceMs > 0) newcomers.set(node.metadata?.name ?? '', graceMs);
    }
    if (membership.kind === 'conflict' && membership.pools.includes(name))
      conflicts.push(node.metadata?.name ?? '');
  }
  const lookAgain = newcomers.size === 0 ? {} : { lookAgainMs: Math.min(...newcomers.values()) };
  return { members, conflicts, newcomers: new Set(newcomers.keys()), ...lookAgain };
}

/** Settings of the pool that a person has to put right; the selector of MachineConfigs is rendering's matter. */
export function poolSettingIssues(pool: MachineConfigPool): readonly Issue[] {
  return poolIssues(pool).filter(({ path }) => !path.startsWith('spec.machineConfigSelector'));
}

/** Who is targeted now; undefined while the pool is paused or has nothing to roll out. */
export function decideTargets(
  pool: MachineConfigPool,
  { members, newcomers }: PoolView,
): Selection | undefined {
  const target = pool.spec?.configuration?.name;
  if (target === undefined || pool.spec?.paused === true) return undefined;
  return selectNodes({
    target,
    nodes: members,
    newcomers,
    maxUnavailable: resolveMaxUnavailable(pool.spec?.maxUnavailable, members.length).limit,
    controlPlane: pool.metadata?.name === masterPoolName,
  });
}
