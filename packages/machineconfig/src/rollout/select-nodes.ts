import type { ConfigName } from '@slipway/api';
import {
  compareAge,
  isSettled,
  isUntouched,
  type ObservedNode,
  whyUnavailable,
} from './observe-node.ts';

export type SelectionInput = {
  /** The configuration that the nodes of the pool shall have. */
  readonly target: ConfigName;
  readonly nodes: readonly ObservedNode[];
  /** From `resolveMaxUnavailable`. */
  readonly maxUnavailable: number;
  /** True for the master pool: one node at a time, so that etcd keeps its quorum. */
  readonly controlPlane: boolean;
  /** Nodes that count but are not chosen yet, as they may turn out to belong elsewhere. Default none. */
  readonly newcomers?: ReadonlySet<string>;
};

export type Selection = {
  /** Already unavailable and aimed at a superseded configuration: retargeted at no cost to the others. */
  readonly retarget: readonly string[];
  /** Taken out of service within `maxUnavailable`, oldest first. */
  readonly fresh: readonly string[];
  /** Not at the target and not chosen now, with the reason. */
  readonly waiting: readonly { readonly node: string; readonly reason: string }[];
};

/** A change is under way, or failed, on the node. */
function isInProgress(node: ObservedNode): boolean {
  return !isSettled(node) && !isUntouched(node);
}

/**
 * A node that is out of service already gets the new target whatever its cordon or readiness: this is
 * how a pool heals when a bad MachineConfig is deleted. An administrator's cordon alone is respected.
 */
function isRetargetable(node: ObservedNode): boolean {
  return isInProgress(node) || node.notReady !== undefined;
}

function capacityOf(input: SelectionInput): number {
  const limit = input.controlPlane ? Math.min(1, input.maxUnavailable) : input.maxUnavailable;
  const unavailable = input.nodes.filter((node) => whyUnavailable(node) !== undefined).length;
  return Math.max(0, limit - unavailable);
}

/**
 * True when etcd keeps its quorum without the node: a majority of the control planes is ready beside it. One
 * that is down already takes nothing away; of one or two control planes none could ever be updated.
 */
function keepsQuorum(node: ObservedNode, all: readonly ObservedNode[]): boolean {
  if (node.notReady !== undefined || all.length <= 2) return true;
  const ready = all.filter((other) => other !== node && other.notReady === undefined).length;
  return ready > all.length / 2;
}

/**
 * Settled nodes that went down, within the limit beside those that are being changed: when a whole rack
 * comes back at once, no more of it may change at once than of any other. Those whose configuration few
 * others have come first, for it may be what took them down.
 */
function fallen(input: SelectionInput, outdated: readonly ObservedNode[]) {
  const holders = Map.groupBy(input.nodes, ({ contract }) => contract.desired);
  const spread = ({ contract }: ObservedNode) => holders.get(contract.desired)?.length ?? 0;
  const limit = input.maxUnavailable - input.nodes.filter(isInProgress).length;
  return outdated
    .filter((node) => node.notReady !== undefined && !isInProgress(node))
    .sort((a, b) => spread(a) - spread(b) || compareAge(a, b))
    .slice(0, Math.max(0, limit));
}

/** Of control planes, only the one that is being changed already; else the oldest one that is down. */
function retargetable(input: SelectionInput, outdated: readonly ObservedNode[]) {
  if (!input.controlPlane) return [...outdated.filter(isInProgress), ...fallen(input, outdated)];
  const all = outdated.filter(isRetargetable);
  const changing = all.filter(isInProgress);
  if (changing.length > 0) return changing.filter((node) => keepsQuorum(node, input.nodes));
  return input.nodes.some(isInProgress) ? [] : all.slice(0, 1);
}

/** Which nodes get the target now. Never takes more than `maxUnavailable` out of service. */
export function selectNodes(input: SelectionInput): Selection {
  const newcomers = input.newcomers ?? new Set();
  const all = input.nodes.filter((node) => node.contract.desired !== input.target).sort(compareAge);
  const outdated = all.filter(({ name }) => !newcomers.has(name));
  const retarget = retargetable(input, outdated);
  const retargetSet = new Set(retarget);
  const rest = outdated.filter((node) => !retargetSet.has(node));
  const ready = rest.filter((node) => whyUnavailable(node) === undefined);
  // A control plane that was just retargeted is being changed: no second one beside it.
  const capacity = input.controlPlane && retarget.length > 0 ? 0 : capacityOf(input);
  const fresh = ready.slice(0, capacity);
  const chosen = new Set(fresh);
  const waiting = rest
    .filter((node) => !chosen.has(node))
    .map((node) => ({ node: node.name, reason: whyUnavailable(node) ?? 'waits for its turn' }));
  const held = all
    .filter(({ name }) => newcomers.has(name))
    .map(({ name }) => ({ node: name, reason: 'is new and may still get a role' }));
  return {
    retarget: retarget.map(({ name }) => name),
    fresh: fresh.map(({ name }) => name),
    waiting: [...waiting, ...held],
  };
}
