import type { ResourceCatalogue, ResourceDefinition, StoredObject } from '../contract.ts';

/** `group/plural`: what is stored together, whatever its version. */
export function resourceOf(definition: ResourceDefinition): string {
  return `${definition.group}/${definition.plural}`;
}

/** One definition per stored resource: versions of a custom kind share their objects. */
export function storedResources(catalogue: ResourceCatalogue): readonly ResourceDefinition[] {
  const byResource = new Map<string, ResourceDefinition>();
  for (const definition of catalogue.all()) {
    const key = resourceOf(definition);
    // Reviews and other virtual kinds can only be created; there is nothing to find.
    if (definition.verbs.includes('list') && !byResource.has(key)) byResource.set(key, definition);
  }
  return [...byResource.values()];
}

/** `namespace/name`, the key of an object in a loop. */
export function keyOf(object: StoredObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

/** The parts of a key made by `keyOf`. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
