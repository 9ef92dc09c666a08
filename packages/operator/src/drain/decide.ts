import {
  type DrainRequest,
  decodeNode,
  isDrainApplied,
  type Node,
  type NodeContract,
} from '@slipway/api';

/** What the drain controller does next for a node. */
export type DrainStep =
  /** Nothing is asked, or it was acknowledged and is kept. */
  | { readonly kind: 'idle' }
  /** The request is withdrawn: our cordon goes, the one of somebody else stays. */
  | { readonly kind: 'release'; readonly keepCordon: boolean }
  /** The target moved on while pods were being evicted: stop, and leave the cordon to the next request. */
  | { readonly kind: 'abort' }
  /** Cordon the node, remembering whether it was; `again` when somebody removed our cordon. */
  | { readonly kind: 'cordon'; readonly prior: boolean; readonly again: boolean }
  | { readonly kind: 'evict'; readonly request: DrainRequest }
  | { readonly kind: 'uncordon'; readonly request: DrainRequest; readonly keepCordon: boolean };

function isCordoned(node: Node): boolean {
  return node.spec?.unschedulable === true;
}

function drainStep(node: Node, contract: NodeContract, request: DrainRequest): DrainStep {
  if (contract.desired !== undefined && contract.desired !== request.config)
    return { kind: 'abort' };
  if (!contract.drainInForce) return { kind: 'cordon', prior: isCordoned(node), again: false };
  if (!isCordoned(node)) return { kind: 'cordon', prior: contract.priorCordon, again: true };
  return isDrainApplied(contract, request) ? { kind: 'idle' } : { kind: 'evict', request };
}

/**
 * From what a node's annotations ask and acknowledge to the next step:
 *
 *   drain-X ──▶ cordon ──▶ evict until empty ──▶ ack ──▶ (kept cordoned) ──▶ uncordon-X ──▶ ack
 *                  ▲  external uncordon │                     │
 *                  └────────────────────┴─────────────────────┘
 */
export function decideDrain(node: Node): DrainStep {
  const contract = decodeNode(node);
  const request = contract.drainRequest;
  if (request === undefined)
    return contract.drainInForce
      ? { kind: 'release', keepCordon: contract.priorCordon }
      : { kind: 'idle' };
  if (request.verb === 'drain') return drainStep(node, contract, request);
  if (isDrainApplied(contract, request) && !contract.drainInForce) return { kind: 'idle' };
  // Without our own cordon there is nothing to take off: what is there is somebody else's.
  const keepCordon = contract.drainInForce ? contract.priorCordon : isCordoned(node);
  return { kind: 'uncordon', request, keepCordon };
}
