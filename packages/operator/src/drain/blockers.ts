import { type DrainBlocker, matchesLabels, type Pod, type PodDisruptionBudget } from '@slipway/api';
import { podOwner } from './pod-fate.ts';

/** A pod past its grace period is blocked by something: a finalizer, a volume, a dead kubelet. */
const overdueMs = 10_000;

function blocker(pod: Pod, message: string, budget?: string): DrainBlocker {
  const owner = podOwner(pod);
  return {
    namespace: pod.metadata?.namespace ?? '',
    pod: pod.metadata?.name ?? '',
    ...(budget === undefined ? {} : { podDisruptionBudget: budget }),
    ...(owner === undefined ? {} : { owner }),
    message,
  };
}

/** A pod whose eviction was refused; `budgets` are those of its namespace. */
export function refusedBlocker(
  pod: Pod,
  message: string,
  budgets: readonly PodDisruptionBudget[],
): DrainBlocker {
  const budget = budgets.find(({ spec }) => matchesLabels(spec?.selector, pod.metadata?.labels));
  return blocker(pod, message, budget?.metadata?.name);
}

/** A terminating pod that should have been gone by now; undefined while it is in time. */
export function overdueBlocker(pod: Pod, nowMs: number): DrainBlocker | undefined {
  const due = Date.parse(pod.metadata?.deletionTimestamp ?? '');
  if (Number.isNaN(due) || nowMs < due + overdueMs) return undefined;
  const finalizers = pod.metadata?.finalizers ?? [];
  const cause = finalizers.length === 0 ? '' : `; finalizers: ${finalizers.join(', ')}`;
  return blocker(pod, `still terminating after its grace period${cause}`);
}

/** `namespace/pod (PodDisruptionBudget x): message` for Events and logs. */
export function describeBlocker(item: DrainBlocker): string {
  const budget =
    item.podDisruptionBudget === undefined
      ? ''
      : ` (PodDisruptionBudget ${item.podDisruptionBudget})`;
  return `${item.namespace}/${item.pod}${budget}: ${item.message}`;
}
