import type { Clock } from '@slipway/base';
import type { ResourceCatalogue, ResourceDefinition, StoredObject } from '../contract.ts';
import { type Answer, json } from '../http/answer.ts';
import { readList, readNumber, readObject, readPath, readText } from '../registry/read-path.ts';
import { matchesLabelSelector } from '../request/object-selector.ts';
import { badRequest, internalError, notFound, tooManyRequests } from '../status/status-errors.ts';
import type { Store } from '../storage/store.ts';
import { parseBody } from '../wire/decode-body.ts';
import { readDeleteOptions } from './delete-options.ts';
import { timestamp } from './deletion.ts';
import { type ObjectWriter, resourceKey } from './object-writer.ts';
import { type ResourceCall, writeContext } from './resource-call.ts';
import { serverUser, type WriteContext } from './write-context.ts';

/** What an eviction needs to judge and to act. */
export type EvictionServices = {
  readonly store: Store;
  readonly writer: ObjectWriter;
  readonly catalogue: ResourceCatalogue;
  readonly clock: Clock;
};

type Budget = { readonly definition: ResourceDefinition; readonly object: StoredObject };

const evictionType = 'io.k8s.api.policy.v1.Eviction';
const tooManyDisrupted = 2000;

function budgetsOf(services: EvictionServices, pod: StoredObject): readonly Budget[] {
  const definition = services.catalogue.find('policy', 'v1', 'poddisruptionbudgets');
  if (definition === undefined) return [];
  const records = services.store.collection(resourceKey(definition)).range(pod.metadata.namespace);
  return [...records]
    .map((record) => ({ definition, object: record.object(definition) }))
    .filter(({ object }) =>
      matchesLabelSelector(readPath(object, 'spec', 'selector'), pod.metadata.labels),
    );
}

/** Pods that do not run or already go are not protected. */
function isUnprotected(pod: StoredObject): boolean {
  const phase = readText(pod, 'status', 'phase');
  return (
    ['Succeeded', 'Failed', 'Pending'].includes(phase) ||
    pod.metadata.deletionTimestamp !== undefined
  );
}

function isReady(pod: StoredObject): boolean {
  return readList(pod, 'status', 'conditions').some(
    (condition) => condition['type'] === 'Ready' && condition['status'] === 'True',
  );
}

/** Unhealthy pods may go where the budget is met anyway, or its policy says so. */
function mayBypass(pod: StoredObject, budget: StoredObject): boolean {
  if (isReady(pod)) return false;
  if (readText(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = readNumber(budget, 'status', 'desiredHealthy');
  return desired > 0 && readNumber(budget, 'status', 'currentHealthy') >= desired;
}

function blocked(message: string, retryAfterSeconds: number, detail: string) {
  const cause = { reason: 'DisruptionBudget', message: detail };
  return tooManyRequests(message, retryAfterSeconds, cause);
}

function spend(budget: StoredObject, pod: StoredObject, now: string): StoredObject {
  const name = budget.metadata.name ?? '';
  const status = readObject(budget, 'status');
  if (readNumber(status, 'observedGeneration') < (budget.metadata.generation ?? 0)) {
    const message = `Cannot evict pod as it would violate the pod's disruption budget.`;
    throw blocked(
      message,
      10,
      `The disruption budget ${name} is still being processed by the server.`,
    );
  }
  const allowed = readNumber(status, 'disruptionsAllowed');
  const disrupted = readObject(status, 'disruptedPods');
  if (allowed <= 0 || Object.keys(disrupted).length > tooManyDisrupted) {
    const needs = readNumber(status, 'desiredHealthy');
    const has = readNumber(status, 'currentHealthy');
    throw blocked(
      "Cannot evict pod as it would violate the pod's disruption budget.",
      0,
      `The disruption budget ${name} needs ${needs} healthy pods and has ${has} currently`,
    );
  }
  const disruptedPods = { ...disrupted, [pod.metadata.name ?? '']: now };
  return {
    ...budget,
    status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods },
  } as StoredObject;
}

async function askBudget(
  services: EvictionServices,
  pod: StoredObject,
  context: WriteContext,
): Promise<void> {
  const budgets = budgetsOf(services, pod);
  if (budgets.length > 1) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = budgets;
  if (budget === undefined || mayBypass(pod, budget.object)) return;
  const { definition, object } = budget;
  const place = {
    definition,
    namespace: object.metadata.namespace,
    name: object.metadata.name ?? '',
    subresource: 'status',
  };
  const now = timestamp(services.clock.now());
  await services.writer.update(place, (current) => spend(current, pod, now), {
    ...context,
    user: serverUser,
  });
}

function evictionOf(call: ResourceCall): StoredObject {
  const { value } = parseBody(call.body, call.contentType, {
    typeName: evictionType,
    checkDuplicates: false,
  });
  const named = readText(value, 'metadata', 'name');
  if (named !== '' && named !== call.at.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const { name, namespace } = call.at;
  const given = readObject(value, 'metadata');
  const metadata = { ...given, name, namespace };
  return {
    ...readObject(value),
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata,
  } as StoredObject;
}

/** POST to `pods/<name>/eviction`: deletes the pod if its disruption budget allows that now; else 429. */
export async function evictPod(services: EvictionServices, call: ResourceCall): Promise<Answer> {
  const { definition, at } = call;
  const name = at.name ?? '';
  const eviction = evictionOf(call);
  const options = readDeleteOptions(readObject(eviction, 'deleteOptions'));
  const asked = writeContext(call, 'CreateOptions');
  const dryRun = asked.dryRun || (options.dryRun ?? []).includes('All');
  const context = { ...asked, dryRun };
  const key = { resource: resourceKey(definition), namespace: at.namespace ?? '', name };
  const record = services.store.get(key);
  if (record === undefined) throw notFound(definition, name);
  const pod = record.object(definition);
  await services.writer.judge(
    {
      operation: 'CREATE',
      definition,
      subresource: 'eviction',
      name,
      ...(at.namespace === undefined ? {} : { namespace: at.namespace }),
      object: eviction,
      user: call.user,
      dryRun,
    },
    context,
  );
  if (!isUnprotected(pod)) await askBudget(services, pod, context);
  await services.writer.remove({ definition, namespace: at.namespace, name }, options, context);
  return json(201, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code: 201,
  });
}
