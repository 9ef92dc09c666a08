import { type ConfigName, decodeNode, type Node, type NodeContract } from '@slipway/api';
import { compareBytes } from '@slipway/base';

/** What the rollout rules look at in a node. */
export type ObservedNode = {
  readonly name: string;
  /** RFC 3339; empty when unknown. */
  readonly createdAt: string;
  readonly contract: NodeContract;
  /** Why the node is not ready; undefined: it is. */
  readonly notReady?: string;
  readonly cordoned: boolean;
};

/** Why a node is not ready, in words; undefined when it is. */
export function whyNotReady(node: Node): string | undefined {
  const status = (type: string) =>
    node.status?.conditions?.find((condition) => condition.type === type)?.status;
  if (status('Ready') !== 'True') return 'not ready';
  if (status('DiskPressure') === 'True') return 'under disk pressure';
  if (status('NetworkUnavailable') === 'True') return 'without network';
  return undefined;
}

// Objects of a cache keep their identity while they do not change: a fleet is not decoded anew each time.
const known = new WeakMap<Node, ObservedNode>();

/** The node as the rollout rules see it. */
export function observeNode(node: Node): ObservedNode {
  const seen = known.get(node);
  if (seen !== undefined) return seen;
  const observed = observe(node);
  known.set(node, observed);
  return observed;
}

function observe(node: Node): ObservedNode {
  const notReady = whyNotReady(node);
  return {
    name: node.metadata?.name ?? '',
    createdAt: node.metadata?.creationTimestamp ?? '',
    contract: decodeNode(node),
    ...(notReady === undefined ? {} : { notReady }),
    cordoned: node.spec?.unschedulable === true,
  };
}

/** True when the node has what it was told to have. */
export function isSettled(node: ObservedNode): boolean {
  const { state, desired } = node.contract;
  return state.kind === 'done' && state.current === desired;
}

/** True when the node has `target` and says so. */
export function isUpdated(node: ObservedNode, target: ConfigName): boolean {
  return isSettled(node) && node.contract.desired === target;
}

/** True before the first target was given and the first state reported: nothing is going on there. */
export function isUntouched(node: ObservedNode): boolean {
  const { state, desired } = node.contract;
  return desired === undefined && (state.kind === 'unknown' || state.kind === 'done');
}

/**
 * Why a node cannot be counted on: not ready, cordoned by anyone, or not Done. A node that was never
 * targeted is available, for no change is under way on it.
 */
export function whyUnavailable(node: ObservedNode): string | undefined {
  const { state, desired } = node.contract;
  if (node.notReady !== undefined) return node.notReady;
  if (state.kind === 'degraded') return 'degraded';
  if (!isSettled(node) && !isUntouched(node)) return `updating to ${desired ?? 'nothing yet'}`;
  if (node.cordoned) return 'cordoned';
  return undefined;
}

/** Oldest first; the name decides between nodes of the same second. */
export function compareAge(a: ObservedNode, b: ObservedNode): number {
  return compareBytes(a.createdAt, b.createdAt) || compareBytes(a.name, b.name);
}
