import type { Node, Taint } from '@slipway/api';

/** Taints that Kubernetes itself sets and removes with the condition of a node. */
const passingTaints = 'node.kubernetes.io/';

function repels(taint: Taint): boolean {
  if (taint.key.startsWith(passingTaints)) return false;
  return taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';
}

/**
 * True when some other node could take ordinary pods, now or when it is well again. Without one an
 * eviction moves nothing: a budget would block it for ever.
 */
export function hasShelter(node: Node, all: readonly Node[]): boolean {
  return all.some(
    (other) =>
      other.metadata?.name !== node.metadata?.name && !(other.spec?.taints ?? []).some(repels),
  );
}
