import type { Component } from '@slipway/base';
import { bootstrapPolicy } from '../auth/bootstrap-policy.ts';
import { rbacGroup } from '../auth/rbac-index.ts';
import {
  type LocalAccess,
  type ResourceCatalogue,
  StatusError,
  type StoredObject,
} from '../contract.ts';

/** Namespaces that always exist. */
const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

function namespaceObject(name: string): StoredObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

async function ensure(
  object: StoredObject,
  catalogue: ResourceCatalogue,
  access: LocalAccess,
): Promise<void> {
  const group = object.kind === 'Namespace' ? '' : rbacGroup;
  const definition = catalogue.findKind(group, 'v1', object.kind);
  const { namespace, name = '' } = object.metadata;
  if (definition === undefined || access.get(definition, namespace, name) !== undefined) return;
  try {
    await access.create(definition, object);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
  }
}

/** Creates, at start, the default namespaces and the bootstrap roles and bindings that are absent. */
export function createBootstrapObjects(
  catalogue: ResourceCatalogue,
  access: LocalAccess,
): Component {
  return {
    name: 'bootstrap-objects',
    async start() {
      for (const name of namespaces) await ensure(namespaceObject(name), catalogue, access);
      await Promise.all(bootstrapPolicy.map((object) => ensure(object, catalogue, access)));
    },
    async stop() {
      // Nothing of it goes on after start.
    },
  };
}
