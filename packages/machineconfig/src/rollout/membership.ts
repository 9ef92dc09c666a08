import {
  type MachineConfigPool,
  masterPoolName,
  type Node,
  nodeRoleLabel,
  workerPoolName,
} from '@slipway/api';
import { matchesSelector } from '../label-selector.ts';

/** Which pool a node belongs to. */
export type Membership =
  /** `ignored` names custom pools that also match a control-plane node and have no say over it. */
  | { readonly kind: 'member'; readonly pool: string; readonly ignored: readonly string[] }
  /** More than one custom pool matches: the node is in none until the labels are put right. */
  | { readonly kind: 'conflict'; readonly pools: readonly string[] }
  | { readonly kind: 'unmanaged'; readonly reason: 'windows' | 'no-pool' };

/** True for the pools that users add to master and worker. */
export function isCustomPool(pool: MachineConfigPool): boolean {
  const name = pool.metadata?.name;
  return name !== masterPoolName && name !== workerPoolName;
}

/** True for a node that runs a control plane, by its role labels. */
export function isControlPlane(node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  return nodeRoleLabel.controlPlane in labels || nodeRoleLabel.master in labels;
}

function memberOf(
  name: string,
  pools: readonly MachineConfigPool[],
  ignored: readonly string[],
): Membership {
  if (!pools.some((pool) => pool.metadata?.name === name))
    return { kind: 'unmanaged', reason: 'no-pool' };
  return { kind: 'member', pool: name, ignored };
}

/**
 * The pool of a node: master for a control plane, else the one custom pool that selects it, else
 * worker, with or without the worker label (kubeadm gives workers none). Windows nodes are unmanaged.
 */
export function membershipOf(node: Node, pools: readonly MachineConfigPool[]): Membership {
  const labels = node.metadata?.labels ?? {};
  if (labels['kubernetes.io/os'] === 'windows') return { kind: 'unmanaged', reason: 'windows' };
  const custom = pools
    .filter((pool) => isCustomPool(pool) && matchesSelector(pool.spec?.nodeSelector, labels))
    .map((pool) => pool.metadata?.name ?? '')
    .sort();
  const master = pools.find((pool) => pool.metadata?.name === masterPoolName);
  if (isControlPlane(node) || matchesSelector(master?.spec?.nodeSelector, labels))
    return memberOf(masterPoolName, pools, custom);
  const [only, second] = custom;
  if (second !== undefined) return { kind: 'conflict', pools: custom };
  return memberOf(only ?? workerPoolName, pools, []);
}
