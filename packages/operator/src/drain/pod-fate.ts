import type { Pod } from '@slipway/api';

/** What a drain does with a pod of the node. */
export type PodFate =
  /** Stays: its DaemonSet or the kubelet itself runs it on every node. */
  | 'skip'
  | 'evict'
  /** On its way out already. */
  | 'terminating';

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** The owner that manages a pod, as `Kind/name`; undefined for a pod on its own. */
export function podOwner(pod: Pod): string | undefined {
  const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? undefined : `${owner.kind}/${owner.name}`;
}

function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function podFate(pod: Pod): PodFate {
  if (pod.metadata?.annotations?.[mirrorAnnotation] !== undefined) return 'skip';
  // A finished pod of a DaemonSet is not run by anybody any more.
  if (podOwner(pod)?.startsWith('DaemonSet/') === true && !isFinished(pod)) return 'skip';
  return pod.metadata?.deletionTimestamp === undefined ? 'evict' : 'terminating';
}
