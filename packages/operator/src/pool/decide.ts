import type { MachineConfigPool, Node } from '@slipway/api';
import { masterPoolName } from '@slipway/api';
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
  readonly conflicts: readonly string[];
};

/** Sorts out the nodes of `pool`: one pass over all nodes. */
export function viewPool(
  pool: MachineConfigPool,
  pools: readonly MachineConfigPool[],
  nodes: readonly Node[],
): PoolView {
  const name = pool.metadata?.name ?? '';
  const members: ObservedNode[] = [];
  const conflicts: string[] = [];
  for (const node of nodes) {
    const membership = membershipOf(node, pools);
    if (membership.kind === 'member' && membership.pool === name) members.push(observeNode(node));
    if (membership.kind === 'conflict' && membership.pools.includes(name))
      conflicts.push(node.metadata?.name ?? '');
  }
  return { members, conflicts };
}

/** Settings of the pool that a person has to put right; the selector of MachineConfigs is rendering's matter. */
export function poolSettingIssues(pool: MachineConfigPool): readonly Issue[] {
  return poolIssues(pool).filter(({ path }) => !path.startsWith('spec.machineConfigSelector'));
}

/** Who is targeted now; undefined while the pool is paused or has nothing to roll out. */
export function decideTargets(
  pool: MachineConfigPool,
  members: readonly ObservedNode[],
): Selection | undefined {
  const target = pool.spec?.configuration?.name;
  if (target === undefined || pool.spec?.paused === true) return undefined;
  return selectNodes({
    target,
    nodes: members,
    maxUnavailable: resolveMaxUnavailable(pool.spec?.maxUnavailable, members.length).limit,
    controlPlane: pool.metadata?.name === masterPoolName,
  });
}
