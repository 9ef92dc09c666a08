import { jsonEqual } from '@slipway/base';
import type { ResourceCatalogue, ResourceDefinition, StoredObject } from '../contract.ts';
import { readObject, readPath, readText } from '../registry/read-path.ts';
import { matchesLabelSelector } from '../request/object-selector.ts';
import { conditionsOf, hasCondition, timeStamp, withCondition } from './conditions.ts';
import type { ControllerOptions } from './controller-options.ts';
import { type Again, Loop } from './loop.ts';
import { keyOf, splitKey } from './served.ts';

/** An eviction whose pod is still there counts for this long. */
const disruptionMs = 2 * 60 * 1000;

type Expectation = { readonly expected: number; readonly desired: number };

/** A number, or a share of `total` rounded up. */
function scaled(value: unknown, total: number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(typeof value === 'string' ? value : '')?.[1];
  return percent === undefined ? 0 : Math.ceil((Number(percent) * total) / 100);
}

/** A budget whose pods' number cannot be told; nothing may be disrupted then. */
class SyncFailure extends Error {}

function controllerReplicas(
  pod: StoredObject,
  catalogue: ResourceCatalogue,
  find: (definition: ResourceDefinition, name: string) => StoredObject | undefined,
): readonly [string, number] {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) {
    throw new SyncFailure(`found no controller ref for pod "${pod.metadata.name}"`);
  }
  const slash = owner.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : owner.apiVersion.slice(0, slash);
  const definition = catalogue.findKind(group, owner.apiVersion.slice(slash + 1), owner.kind);
  const object = definition && find(definition, owner.name);
  const replicas = readPath(object, 'spec', 'replicas');
  if (typeof replicas !== 'number') {
    const name = pod.metadata.name ?? '';
    throw new SyncFailure(`found no controllers for pod "${name}"`);
  }
  return [owner.uid, replicas];
}

function isHealthy(pod: StoredObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && hasCondition(pod, 'Ready');
}

class BudgetStatus {
  readonly #options: ControllerOptions;

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  async reconcile(key: string): Promise<Again> {
    const { access } = this.#options;
    const definition = budgets(this.#options.catalogue);
    const { namespace, name } = splitKey(key);
    const budget = definition && access.get(definition, namespace, name);
    if (definition === undefined || budget === undefined) return undefined;
    const change = (object: StoredObject) => {
      const status = this.#statusOf(object);
      return jsonEqual(status, object['status']) ? undefined : { ...object, status };
    };
    const after = await access.update(definition, namespace, name, change, {
      subresource: 'status',
    });
    return Object.keys(readObject(after, 'status', 'disruptedPods')).length > 0
      ? disruptionMs
      : undefined;
  }

  #podsOf(budget: StoredObject): readonly StoredObject[] {
    const definition = this.#options.catalogue.find('', 'v1', 'pods');
    const selector = readPath(budget, 'spec', 'selector');
    if (definition === undefined) return [];
    return this.#options.access
      .list(definition, budget.metadata.namespace)
      .filter((pod) => matchesLabelSelector(selector, pod.metadata.labels))
      .filter((pod) => !['Succeeded', 'Failed'].includes(readText(pod, 'status', 'phase')));
  }

  #expectation(budget: StoredObject, pods: readonly StoredObject[]): Expectation {
    const minimum = readPath(budget, 'spec', 'minAvailable');
    const maximum = readPath(budget, 'spec', 'maxUnavailable');
    if (maximum !== undefined) {
      const expected = this.#expectedScale(budget, pods);
      return { expected, desired: Math.max(0, expected - scaled(maximum, expected)) };
    }
    if (typeof minimum === 'number') return { expected: pods.length, desired: minimum };
    const expected = this.#expectedScale(budget, pods);
    return { expected, desired: scaled(minimum, expected) };
  }

  #expectedScale(budget: StoredObject, pods: readonly StoredObject[]): number {
    const { access, catalogue } = this.#options;
    const find = (definition: ResourceDefinition, name: string) =>
      access.get(definition, budget.metadata.namespace, name);
    const scales = new Map(pods.map((pod) => controllerReplicas(pod, catalogue, find)));
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  #statusOf(budget: StoredObject): Readonly<Record<string, unknown>> {
    const pods = this.#podsOf(budget);
    try {
      return this.#computed(budget, pods, this.#expectation(budget, pods));
    } catch (error) {
      if (!(error instanceof SyncFailure)) throw error;
      return this.#failed(budget, error.message);
    }
  }

  #failed(budget: StoredObject, message: string): Readonly<Record<string, unknown>> {
    const before = readObject(budget, 'status');
    const condition = {
      type: 'DisruptionAllowed',
      status: 'False' as const,
      reason: 'SyncFailed',
      message,
      observedGeneration: budget.metadata.generation ?? 0,
    };
    const conditions = withCondition(conditionsOf(budget), condition, this.#options.clock.now());
    const zero = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    const observedGeneration = budget.metadata.generation ?? 0;
    return { ...zero, ...before, observedGeneration, disruptionsAllowed: 0, conditions };
  }

  #computed(
    budget: StoredObject,
    pods: readonly StoredObject[],
    { expected, desired }: Expectation,
  ): Readonly<Record<string, unknown>> {
    const now = this.#options.clock.now();
    const disruptedPods = stillDisrupted(budget, pods, now);
    const healthy = pods.filter(
      (pod) => isHealthy(pod) && disruptedPods[pod.metadata.name ?? ''] === undefined,
    ).length;
    const disruptionsAllowed = expected === 0 ? 0 : Math.max(0, healthy - desired);
    const isAllowed = disruptionsAllowed > 0;
    const condition = {
      type: 'DisruptionAllowed',
      status: isAllowed ? ('True' as const) : ('False' as const),
      reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
      message: '',
      observedGeneration: budget.metadata.generation ?? 0,
    };
    return {
      observedGeneration: budget.metadata.generation ?? 0,
      ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
      disruptionsAllowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      conditions: withCondition(conditionsOf(budget), condition, now),
    };
  }
}

/** Evicted pods that are still there, and not for too long. */
function stillDisrupted(
  budget: StoredObject,
  pods: readonly StoredObject[],
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const present = new Set(
    pods
      .filter((pod) => pod.metadata.deletionTimestamp === undefined)
      .map((pod) => pod.metadata.name ?? ''),
  );
  const oldest = timeStamp(nowMs - disruptionMs);
  const entries = Object.entries(readObject(budget, 'status', 'disruptedPods')).filter(
    ([name, since]) => present.has(name) && typeof since === 'string' && since > oldest,
  );
  return Object.fromEntries(entries);
}

function budgets(catalogue: ResourceCatalogue): ResourceDefinition | undefined {
  return catalogue.find('policy', 'v1', 'poddisruptionbudgets');
}

/** Keeps the status of PodDisruptionBudgets, from which evictions take their permission. */
export function createDisruptionBudgets(options: ControllerOptions): Loop {
  const { access, catalogue } = options;
  const status = new BudgetStatus(options);
  const keysIn = (namespace?: string) => {
    const definition = budgets(catalogue);
    return definition === undefined ? [] : access.list(definition, namespace).map(keyOf);
  };
  return new Loop({
    name: 'disruption-budgets',
    ...options,
    seeds: () => keysIn(),
    keysOf({ group, plural }, { object }) {
      if (group === 'policy' && plural === 'poddisruptionbudgets') return [keyOf(object)];
      const counts = (group === '' && plural === 'pods') || group === 'apps';
      return counts ? keysIn(object.metadata.namespace) : [];
    },
    reconcile: (key) => status.reconcile(key),
  });
}
