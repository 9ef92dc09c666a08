import { isJsonObject } from '@slipway/base';
import type { ResourceDefinition, StoredObject } from '../contract.ts';

/** DeleteOptions as they arrive. */
export type DeleteOptions = {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
};

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

function isNamespace(definition: ResourceDefinition): boolean {
  return definition.group === '' && definition.plural === 'namespaces';
}

function isPod(definition: ResourceDefinition): boolean {
  return definition.group === '' && definition.plural === 'pods';
}

function specFinalizers(definition: ResourceDefinition, object: StoredObject): number {
  if (!isNamespace(definition) || !isJsonObject(object['spec'])) return 0;
  const finalizers = object['spec']['finalizers'];
  return Array.isArray(finalizers) ? finalizers.length : 0;
}

/** True when nothing holds the object back any more. */
export function mayGo(definition: ResourceDefinition, object: StoredObject): boolean {
  const { finalizers, deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false;
  return (deletionGracePeriodSeconds ?? 0) === 0 && specFinalizers(definition, object) === 0;
}

function podGrace(object: StoredObject, options: DeleteOptions): number {
  const spec = isJsonObject(object['spec']) ? object['spec'] : {};
  const status = isJsonObject(object['status']) ? object['status'] : {};
  const phase = status['phase'];
  if (!spec['nodeName'] || phase === 'Succeeded' || phase === 'Failed') return 0;
  const wanted = options.gracePeriodSeconds ?? spec['terminationGracePeriodSeconds'] ?? 30;
  return Math.max(0, Number(wanted));
}

function graceSeconds(
  definition: ResourceDefinition,
  object: StoredObject,
  options: DeleteOptions,
) {
  if (!isPod(definition)) return 0;
  const grace = podGrace(object, options);
  const running = object.metadata.deletionGracePeriodSeconds;
  return running === undefined ? grace : Math.min(grace, running);
}

function finalizersAfter(object: StoredObject, options: DeleteOptions): readonly string[] {
  const kept = (object.metadata.finalizers ?? []).filter(
    (name) => name !== orphanFinalizer && name !== foregroundFinalizer,
  );
  const policy = options.orphanDependents === true ? 'Orphan' : options.propagationPolicy;
  if (policy === 'Orphan') return [...kept, orphanFinalizer];
  if (policy === 'Foreground') return [...kept, foregroundFinalizer];
  return policy === undefined && options.orphanDependents === undefined
    ? (object.metadata.finalizers ?? [])
    : kept;
}

/** RFC 3339 in whole seconds, as metav1.Time is written. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function markTerminating(definition: ResourceDefinition, object: StoredObject): StoredObject {
  if (!isNamespace(definition)) return object;
  const status = isJsonObject(object['status']) ? object['status'] : {};
  return { ...object, status: { ...status, phase: 'Terminating' } };
}

/**
 * The object after a request to delete it: marked, with the finalizers of the propagation policy.
 * The caller removes it when `mayGo` says so.
 */
export function markDeleted(
  definition: ResourceDefinition,
  object: StoredObject,
  options: DeleteOptions,
  nowMs: number,
): StoredObject {
  const grace = graceSeconds(definition, object, options);
  const finalizers = finalizersAfter(object, options);
  const { finalizers: _old, ...metadata } = object.metadata;
  const already = metadata.deletionTimestamp !== undefined;
  const shorter = grace < (metadata.deletionGracePeriodSeconds ?? 0);
  const started = already && !shorter;
  const generation =
    metadata.generation === undefined || already ? {} : { generation: metadata.generation + 1 };
  const deletion = started
    ? {}
    : { deletionTimestamp: timestamp(nowMs + grace * 1000), deletionGracePeriodSeconds: grace };
  const marked: StoredObject = {
    ...object,
    metadata: {
      ...metadata,
      ...generation,
      ...deletion,
      ...(finalizers.length === 0 ? {} : { finalizers }),
    },
  };
  return markTerminating(definition, marked);
}
