import type { Pod } from '@slipway/api';
import { isJsonObject } from '@slipway/base';

type ContainerName = { readonly name: string; readonly image: string };

function containers(pod: Pod): readonly ContainerName[] {
  const list = pod.spec?.['containers'];
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map((container) => ({
    name: String(container['name']),
    image: String(container['image'] ?? ''),
  }));
}

/** True when the stand-in has something to write: the pod is bound, alive and not shown as running. */
export function needsStart(pod: Pod): boolean {
  const phase = pod.status?.phase ?? 'Pending';
  return pod.metadata?.deletionTimestamp === undefined && phase === 'Pending';
}

/** Status of a pod that runs and is ready, at `now` (RFC 3339). No container is really started. */
export function runningStatus(pod: Pod, hostAddress: string, now: string) {
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True' as const,
    lastTransitionTime: now,
  }));
  return {
    phase: 'Running',
    conditions,
    hostIP: hostAddress,
    podIP: hostAddress,
    podIPs: [{ ip: hostAddress }],
    startTime: now,
    containerStatuses: containers(pod).map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      containerID: `stand-in://${pod.metadata?.uid ?? ''}/${name}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  };
}
