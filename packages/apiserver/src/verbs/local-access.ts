import {
  type ChangeEvent,
  type LocalAccess,
  type ResourceCatalogue,
  type ResourceDefinition,
  StatusError,
  type StoredObject,
} from '../contract.ts';
import type { Change } from '../storage/change.ts';
import type { Store } from '../storage/store.ts';
import { type ObjectPlace, type ObjectWriter, resourceKey } from './object-writer.ts';
import { serverUser, type WriteContext } from './write-context.ts';

function ownContext(): WriteContext {
  return { user: serverUser, dryRun: false, warnings: [] };
}

function lazyEvent(definition: ResourceDefinition, change: Change): ChangeEvent {
  return {
    type: change.type,
    revision: change.revision,
    get object() {
      return change.record.object(definition);
    },
    ...(change.previous === undefined ? {} : { previous: change.previous.object(definition) }),
  };
}

function place(
  definition: ResourceDefinition,
  namespace: string | undefined,
  name: string,
): ObjectPlace {
  return { definition, namespace: definition.namespaced ? namespace : undefined, name };
}

/** The server's own way to its objects. */
export function createLocalAccess(
  store: Store,
  writer: ObjectWriter,
  catalogue: ResourceCatalogue,
): LocalAccess {
  const definitionOf = (resource: string) =>
    catalogue.all().find((definition) => resourceKey(definition) === resource);
  return {
    get(definition, namespace, name) {
      const key = { resource: resourceKey(definition), namespace: namespace ?? '', name };
      return store.get(key)?.object(definition);
    },
    list: (definition, namespace) =>
      [...store.collection(resourceKey(definition)).range(namespace)].map((record) =>
        record.object(definition),
      ),
    async create(definition, object) {
      const namespace = definition.namespaced ? object.metadata.namespace : undefined;
      const decoded: StoredObject = definition.schema.prune(object).object;
      const record = await writer.create(definition, namespace, decoded, ownContext());
      return record.object(definition);
    },
    async update(definition, namespace, name, change, options) {
      const at = { ...place(definition, namespace, name), ...options };
      try {
        const record = await writer.update(at, change, ownContext());
        return record.object(definition);
      } catch (error) {
        if (error instanceof StatusError && error.status.code === 404) return undefined;
        throw error;
      }
    },
    async delete(definition, namespace, name, options = {}) {
      const { uid, propagationPolicy } = options;
      const wanted = {
        ...(uid === undefined ? {} : { preconditions: { uid } }),
        ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      };
      await writer.remove(place(definition, namespace, name), wanted, ownContext());
    },
    onChange: (handler) =>
      store.subscribe((changes) => {
        for (const change of changes) {
          const definition = definitionOf(change.record.resource);
          if (definition !== undefined) handler(definition, lazyEvent(definition, change));
        }
      }),
  };
}
