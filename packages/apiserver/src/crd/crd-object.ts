import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import type { ResourceCatalogue, ResourceDefinition, StoredObject } from '../contract.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

export const crdGroup = 'apiextensions.k8s.io';
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** True for the kind of CustomResourceDefinition itself. */
export function isCrdDefinition(definition: ResourceDefinition): boolean {
  return definition.group === crdGroup && definition.plural === 'customresourcedefinitions';
}

/** The definition under which CustomResourceDefinitions are served, when they are. */
export function crdDefinition(catalogue: ResourceCatalogue): ResourceDefinition | undefined {
  return catalogue.find(crdGroup, 'v1', 'customresourcedefinitions');
}

/** True when the parts that every reader relies on have their JSON type. */
function isCrd(object: StoredObject): object is StoredObject & CustomResourceDefinition {
  const spec = object['spec'];
  return (
    isJsonObject(spec) &&
    typeof spec['group'] === 'string' &&
    isJsonObject(spec['names']) &&
    Array.isArray(spec['versions']) &&
    spec['versions'].every((version) => isJsonObject(version))
  );
}

/** A stored object as a CustomResourceDefinition; undefined when its spec is not the shape of one. */
export function asCrd(object: StoredObject): (StoredObject & CustomResourceDefinition) | undefined {
  return isCrd(object) ? object : undefined;
}

/** Schema of one version; undefined when it has none. */
export function schemaOf(version: CustomResourceDefinitionVersion): SchemaNode | undefined {
  return version.schema?.openAPIV3Schema;
}

/** Names with their defaults: singular is the kind in lower case, the list kind ends in `List`. */
export function namesOf(crd: CustomResourceDefinition): {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
} {
  const { names } = crd.spec;
  return {
    kind: names.kind,
    plural: names.plural,
    singular: names.singular || names.kind.toLowerCase(),
    listKind: names.listKind || `${names.kind}List`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
  };
}
