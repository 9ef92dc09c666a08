import type { Node } from './kubernetes/types.ts';
import { machineConfigurationGroup } from './machineconfiguration/group.ts';

/**
 * The wire between operator and daemon: annotations of the Node. This file is the only place that
 * spells one. Who writes what:
 *
 *   desiredConfig     operator (pool controller)
 *   currentConfig, state, reason, desiredDrain   the node's daemon (node-writer)
 *   lastAppliedDrain, priorCordon                operator (drain controller)
 */
export const nodeAnnotation = {
  currentConfig: `${machineConfigurationGroup}/currentConfig`,
  desiredConfig: `${machineConfigurationGroup}/desiredConfig`,
  state: `${machineConfigurationGroup}/state`,
  reason: `${machineConfigurationGroup}/reason`,
  desiredDrain: `${machineConfigurationGroup}/desiredDrain`,
  lastAppliedDrain: `${machineConfigurationGroup}/lastAppliedDrain`,
  /**
   * Present while a drain is in force, that is while our own cordon is on the node: `"true"` when somebody
   * else had cordoned it before, else `"false"`.
   */
  priorCordon: `${machineConfigurationGroup}/priorCordon`,
} as const;

/** Name of a rendered MachineConfig. */
export type ConfigName = string;

/** Longest reason that is written to the annotation, in characters; the whole text is in MachineConfigNode. */
export const maxReasonLength = 2000;

/** What the daemon says of its node. `current` is absent until the node was adopted. */
export type NodeState =
  | { readonly kind: 'done'; readonly current: ConfigName }
  | { readonly kind: 'working'; readonly current?: ConfigName }
  | { readonly kind: 'degraded'; readonly current?: ConfigName; readonly reason: string }
  /** No daemon has written yet. */
  | { readonly kind: 'unknown'; readonly current?: ConfigName };

/** What a daemon asks of the drain controller, and what the controller acknowledges by repeating it. */
export type DrainRequest = { readonly verb: 'drain' | 'uncordon'; readonly config: ConfigName };

/** All that the annotations of one Node say. */
export type NodeContract = {
  readonly state: NodeState;
  readonly desired?: ConfigName;
  readonly drainRequest?: DrainRequest;
  readonly drainApplied?: DrainRequest;
  /** Our own cordon is on the node. */
  readonly drainInForce: boolean;
  /** Somebody else had cordoned the node before we did; the cordon stays when ours goes. */
  readonly priorCordon: boolean;
};

/** Annotation changes: `null` removes. Fits a merge patch. */
export type AnnotationPatch = Readonly<Record<string, string | null>>;

function decodeState(annotations: Readonly<Record<string, string>>): NodeState {
  const current = annotations[nodeAnnotation.currentConfig];
  const known = current === undefined || current === '' ? {} : { current };
  switch (annotations[nodeAnnotation.state]) {
    case 'Done':
      return known.current === undefined
        ? { kind: 'unknown' }
        : { kind: 'done', current: known.current };
    case 'Working':
      return { kind: 'working', ...known };
    case 'Degraded':
      return { kind: 'degraded', ...known, reason: annotations[nodeAnnotation.reason] ?? '' };
    default:
      return { kind: 'unknown', ...known };
  }
}

function decodeDrain(value: string | undefined): DrainRequest | undefined {
  const match = /^(drain|uncordon)-(.+)$/.exec(value ?? '');
  if (match === null) return undefined;
  const [, verb, config] = match;
  if (config === undefined || (verb !== 'drain' && verb !== 'uncordon')) return undefined;
  return { verb, config };
}

/** Reads the contract from a Node; unknown values count as absent. */
export function decodeNode(node: Node): NodeContract {
  const annotations = node.metadata?.annotations ?? {};
  const desired = annotations[nodeAnnotation.desiredConfig];
  const drainRequest = decodeDrain(annotations[nodeAnnotation.desiredDrain]);
  const drainApplied = decodeDrain(annotations[nodeAnnotation.lastAppliedDrain]);
  return {
    state: decodeState(annotations),
    ...(desired === undefined || desired === '' ? {} : { desired }),
    ...(drainRequest === undefined ? {} : { drainRequest }),
    ...(drainApplied === undefined ? {} : { drainApplied }),
    drainInForce: nodeAnnotation.priorCordon in annotations,
    priorCordon: annotations[nodeAnnotation.priorCordon] === 'true',
  };
}

/** The annotations that say `state`. The reason is cut to `maxReasonLength` and removed when not degraded. */
export function encodeState(state: Exclude<NodeState, { kind: 'unknown' }>): AnnotationPatch {
  const current =
    state.current === undefined ? {} : { [nodeAnnotation.currentConfig]: state.current };
  switch (state.kind) {
    case 'done':
      return { ...current, [nodeAnnotation.state]: 'Done', [nodeAnnotation.reason]: null };
    case 'working':
      return { ...current, [nodeAnnotation.state]: 'Working', [nodeAnnotation.reason]: null };
    case 'degraded':
      return {
        ...current,
        [nodeAnnotation.state]: 'Degraded',
        [nodeAnnotation.reason]: state.reason.slice(0, maxReasonLength),
      };
  }
}

/** The annotation that asks the drain controller for `request`; `undefined` withdraws it. */
export function encodeDrainRequest(request: DrainRequest | undefined): AnnotationPatch {
  return { [nodeAnnotation.desiredDrain]: request === undefined ? null : spellDrain(request) };
}

/** The annotation by which the drain controller acknowledges `request`. */
export function encodeDrainApplied(request: DrainRequest): AnnotationPatch {
  return { [nodeAnnotation.lastAppliedDrain]: spellDrain(request) };
}

/** The annotation by which the pool controller targets a node. */
export function encodeDesired(config: ConfigName): AnnotationPatch {
  return { [nodeAnnotation.desiredConfig]: config };
}

/** The annotation that remembers what our cordon found; `undefined` forgets it when the cordon goes. */
export function encodePriorCordon(cordoned: boolean | undefined): AnnotationPatch {
  return { [nodeAnnotation.priorCordon]: cordoned === undefined ? null : String(cordoned) };
}

/** True when the acknowledgement is of exactly this request. */
export function isDrainApplied(contract: NodeContract, request: DrainRequest): boolean {
  const applied = contract.drainApplied;
  return applied?.verb === request.verb && applied.config === request.config;
}

function spellDrain(request: DrainRequest): string {
  return `${request.verb}-${request.config}`;
}
