import {
  type DrainBlocker,
  type Pod,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
} from '@slipway/api';
import { describeError } from '@slipway/base';
import { isNotFound, isTooManyRequests, type KubeClient } from '@slipway/kube';
import { inParallel } from '../in-parallel.ts';
import { overdueBlocker, refusedBlocker } from './blockers.ts';
import { podFate } from './pod-fate.ts';

/** What one attempt to empty a node left behind. */
export type EvictionResult = {
  /** Pods that are still there, on their way out or refused. */
  readonly remaining: number;
  readonly blockers: readonly DrainBlocker[];
};

const parallelEvictions = 10;

type Refusal = { readonly pod: Pod; readonly message: string };

/** Asks for one eviction; a pod that is gone counts as granted. Budgets are never bypassed. */
async function evict(client: KubeClient, pod: Pod): Promise<Refusal | 'granted'> {
  try {
    await client.evict({ ...pod, metadata: pod.metadata ?? {} });
    return 'granted';
  } catch (error) {
    if (isNotFound(error)) return 'granted';
    const message = isTooManyRequests(error)
      ? (error.status.message ?? 'a PodDisruptionBudget refuses the eviction')
      : describeError(error);
    return { pod, message };
  }
}

/** The budgets of the namespaces in which an eviction was refused. */
async function budgetsOf(
  client: KubeClient,
  refusals: readonly Refusal[],
): Promise<ReadonlyMap<string, readonly PodDisruptionBudget[]>> {
  const namespaces = [...new Set(refusals.map(({ pod }) => pod.metadata?.namespace ?? ''))];
  const lists = await inParallel(namespaces, parallelEvictions, async (namespace) => {
    return [namespace, await client.list(podDisruptionBudgets, { namespace })] as const;
  });
  return new Map(lists);
}

/** One attempt to empty a node: every pod that has to go is asked to, and what stays is explained. */
export async function evictPods(
  client: KubeClient,
  nodeName: string,
  nowMs: number,
): Promise<EvictionResult> {
  const there = await client.list(pods, { fieldSelector: `spec.nodeName=${nodeName}` });
  const terminating = there.filter((pod) => podFate(pod) === 'terminating');
  const leaving = there.filter((pod) => podFate(pod) === 'evict');
  const outcomes = await inParallel(leaving, parallelEvictions, async (pod) => evict(client, pod));
  const refusals = outcomes.filter((outcome) => outcome !== 'granted');
  const budgets = await budgetsOf(client, refusals);
  const refused = refusals.map(({ pod, message }) =>
    refusedBlocker(pod, message, budgets.get(pod.metadata?.namespace ?? '') ?? []),
  );
  const overdue = terminating
    .map((pod) => overdueBlocker(pod, nowMs))
    .filter((item) => item !== undefined);
  return { remaining: terminating.length + leaving.length, blockers: [...refused, ...overdue] };
}
