import { isJsonObject, jsonEqual } from '@slipway/base';
import type { ResourceDefinition, StoredObject } from '../contract.ts';
import { badRequest } from '../status/status-errors.ts';

type Parts = Readonly<Record<string, unknown>>;

function withPart(object: StoredObject, name: string, value: unknown): StoredObject {
  const { [name]: _replaced, ...rest } = object as Parts;
  return (value === undefined ? rest : { ...rest, [name]: value }) as StoredObject;
}

/** Fields of the metadata that a client cannot change. */
function keptMetadata(object: StoredObject, old: StoredObject): StoredObject['metadata'] {
  const {
    managedFields: _managedFields,
    resourceVersion: _resourceVersion,
    ...free
  } = object.metadata;
  const was = old.metadata;
  return {
    ...free,
    ...(was.name === undefined ? {} : { name: was.name }),
    ...(was.namespace === undefined ? {} : { namespace: was.namespace }),
    ...(was.generateName === undefined ? {} : { generateName: was.generateName }),
    ...(was.uid === undefined ? {} : { uid: was.uid }),
    ...(was.creationTimestamp === undefined ? {} : { creationTimestamp: was.creationTimestamp }),
    ...(was.resourceVersion === undefined ? {} : { resourceVersion: was.resourceVersion }),
    ...(was.generation === undefined ? {} : { generation: was.generation }),
    ...(was.deletionTimestamp === undefined ? {} : { deletionTimestamp: was.deletionTimestamp }),
    ...(was.deletionGracePeriodSeconds === undefined
      ? {}
      : { deletionGracePeriodSeconds: was.deletionGracePeriodSeconds }),
  };
}

function withoutDeletion(
  metadata: StoredObject['metadata'],
  old: StoredObject,
): StoredObject['metadata'] {
  if (old.metadata.deletionTimestamp !== undefined) return metadata;
  const { deletionTimestamp: _time, deletionGracePeriodSeconds: _grace, ...rest } = metadata;
  return rest;
}

function statusMetadata(
  definition: ResourceDefinition,
  object: StoredObject,
  old: StoredObject,
): StoredObject['metadata'] {
  const resets = definition.custom || definition.group === 'apiextensions.k8s.io';
  return resets ? old.metadata : object.metadata;
}

function finalizersOnly(object: StoredObject, old: StoredObject): StoredObject {
  const spec = isJsonObject(object['spec']) ? object['spec'] : {};
  const before = isJsonObject(old['spec']) ? old['spec'] : {};
  return withPart(old, 'spec', { ...before, finalizers: spec['finalizers'] ?? [] });
}

function conditionsOnly(object: StoredObject, old: StoredObject): StoredObject {
  const status = isJsonObject(object['status']) ? object['status'] : {};
  const before = isJsonObject(old['status']) ? old['status'] : {};
  return withPart(old, 'status', { ...before, conditions: status['conditions'] ?? [] });
}

/** What a write to `subresource` may touch: the rest comes from `old`. */
function selectParts(
  definition: ResourceDefinition,
  object: StoredObject,
  old: StoredObject,
  subresource: string | undefined,
): StoredObject {
  switch (subresource) {
    case undefined:
      return definition.subresources.includes('status')
        ? withPart(object, 'status', old['status'])
        : object;
    case 'finalize':
      return finalizersOnly(object, old);
    case 'approval':
      return conditionsOnly(object, old);
    default: {
      const changed = withPart(old, subresource, object[subresource]);
      return { ...changed, metadata: statusMetadata(definition, object, old) };
    }
  }
}

function counts(object: StoredObject): Parts {
  const { metadata: _metadata, status: _status, apiVersion: _a, kind: _k, ...rest } = object;
  return rest;
}

/** Checks that the body is about the object of the path. Throws 400. */
export function checkIdentity(object: StoredObject, old: StoredObject): void {
  const { name, namespace } = object.metadata;
  if (name !== undefined && name !== '' && name !== old.metadata.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${old.metadata.name})`,
    );
  }
  if (namespace !== undefined && namespace !== '' && namespace !== (old.metadata.namespace ?? '')) {
    throw badRequest(
      `the namespace of the object (${namespace}) does not match the namespace on the URL (${old.metadata.namespace ?? ''})`,
    );
  }
}

/** The object as it may be stored over `old`: server-owned fields and foreign parts come from `old`. */
export function prepareUpdate(
  definition: ResourceDefinition,
  object: StoredObject,
  old: StoredObject,
  subresource?: string,
): StoredObject {
  checkIdentity(object, old);
  const selected = selectParts(definition, object, old, subresource);
  const metadata = withoutDeletion(keptMetadata(selected, old), old);
  return { ...selected, apiVersion: old.apiVersion, kind: old.kind, metadata };
}

/** Adds one to the generation when something besides metadata and status has changed. */
export function countGeneration(
  definition: ResourceDefinition,
  object: StoredObject,
  old: StoredObject,
): StoredObject {
  if (!definition.hasGeneration || jsonEqual(counts(object), counts(old))) return object;
  const generation = (old.metadata.generation ?? 0) + 1;
  return { ...object, metadata: { ...object.metadata, generation } };
}
