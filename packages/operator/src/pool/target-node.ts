import {
  type ConfigName,
  encodeDesired,
  type MachineConfigPool,
  type Node,
  nodes,
} from '@slipway/api';
import { isConflict, isNotFound, type KubeClient } from '@slipway/kube';
import { membershipOf, observeNode, whyUnavailable } from '@slipway/machineconfig';

export type Targeting = {
  readonly node: string;
  readonly pool: string;
  readonly config: ConfigName;
  /** A fresh node must still be in service when it is written; one that is retargeted need not. */
  readonly fresh: boolean;
  readonly pools: readonly MachineConfigPool[];
};

/** What the server has now, and whether the target was written. */
export type TargetOutcome = { readonly node?: Node; readonly written: boolean };

/** True when the node, as the server has it, still is what it was chosen for. */
function stillChosen(live: Node, targeting: Targeting): boolean {
  const membership = membershipOf(live, targeting.pools);
  if (membership.kind !== 'member' || membership.pool !== targeting.pool) return false;
  const observed = observeNode(live);
  if (observed.contract.desired === targeting.config) return false;
  return !targeting.fresh || whyUnavailable(observed) === undefined;
}

/**
 * Writes the target to a node after reading it live. The write is bound to what was read: when anything
 * came between, nothing is written and the next round decides again.
 */
export async function targetNode(client: KubeClient, targeting: Targeting): Promise<TargetOutcome> {
  try {
    const live = await client.get(nodes, targeting.node);
    if (!stillChosen(live, targeting)) return { node: live, written: false };
    const body = {
      metadata: {
        resourceVersion: live.metadata?.resourceVersion,
        annotations: encodeDesired(targeting.config),
      },
    };
    const node = await client.patch(nodes, targeting.node, { type: 'merge', body });
    return { node, written: true };
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return { written: false };
    throw error;
  }
}
