import {
  decodeNode,
  type MachineConfigNode,
  type MachineConfigPool,
  machineConfigNodes,
  machineConfigurationApiVersion,
  type Node,
} from '@slipway/api';
import { type Membership, membershipOf } from '@slipway/machineconfig';

/** The MachineConfigNode that belongs to a node: it goes with the node, and says what the node shall have. */
export function wantedNode(node: Node, pools: readonly MachineConfigPool[]): MachineConfigNode {
  const name = node.metadata?.name ?? '';
  const membership = membershipOf(node, pools);
  const { desired } = decodeNode(node);
  return {
    apiVersion: machineConfigurationApiVersion,
    kind: machineConfigNodes.kind,
    metadata: {
      name,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata?.uid ?? '' }],
    },
    spec: {
      node: { name },
      ...(membership.kind === 'member' ? { pool: { name: membership.pool } } : {}),
      ...(desired === undefined ? {} : { configVersion: { desired } }),
    },
  };
}

/** What is wrong with where a node belongs, in words; undefined when nothing is. */
export function membershipWarning(membership: Membership): string | undefined {
  if (membership.kind === 'conflict')
    return `matches several custom pools (${membership.pools.join(', ')}) and belongs to none: remove labels until one matches`;
  if (membership.kind === 'member' && membership.ignored.length > 0)
    return `is a control plane and stays in pool ${membership.pool}, although ${membership.ignored.join(', ')} selects it`;
  return undefined;
}
