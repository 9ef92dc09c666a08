import { isJsonObject } from '@slipway/base';
import { childPath, mapValueSchema, propertySchema, type SchemaNode } from './schema-node.ts';

/** Fields of ObjectMeta; what else a client writes there is dropped at the root and in embedded objects. */
const metadataFields: ReadonlySet<string> = new Set([
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generateName',
  'generation',
  'labels',
  'managedFields',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
]);

export type Pruned = { readonly value: unknown; readonly unknownFields: readonly string[] };

function pruneMetadata(value: unknown, path: string, unknown: string[]): unknown {
  if (!isJsonObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (metadataFields.has(name)) kept.push([name, member]);
    else unknown.push(childPath(path, name));
  }
  return Object.fromEntries(kept);
}

/** Handles apiVersion, kind and metadata of an object resource; undefined: `name` is an ordinary member. */
function typeMetaMember(
  name: string,
  member: unknown,
  path: string,
  unknown: string[],
): { readonly value: unknown } | undefined {
  if (name === 'apiVersion' || name === 'kind') return { value: member };
  if (name === 'metadata') return { value: pruneMetadata(member, path, unknown) };
  return undefined;
}

type Place = { readonly path: string; readonly isResource: boolean };

function pruneObject(
  object: Record<string, unknown>,
  schema: SchemaNode,
  place: Place,
  unknown: string[],
): unknown {
  const keepUnknown =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  const values = mapValueSchema(schema);
  // Entries, not assignments: a member called `__proto__` must stay a member.
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(object)) {
    const path = childPath(place.path, name);
    const typeMeta = place.isResource ? typeMetaMember(name, member, path, unknown) : undefined;
    const memberSchema = propertySchema(schema, name) ?? values;
    if (typeMeta !== undefined) kept.push([name, typeMeta.value]);
    else if (memberSchema !== undefined) {
      kept.push([name, pruneValue(member, memberSchema, path, unknown)]);
    } else if (keepUnknown) kept.push([name, member]);
    else unknown.push(path);
  }
  return Object.fromEntries(kept);
}

function pruneValue(value: unknown, schema: SchemaNode, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items === undefined) return value;
    return value.map((item, index) => pruneValue(item, items, `${path}[${index}]`, unknown));
  }
  if (!isJsonObject(value)) return value;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  return pruneObject(value, schema, { path, isResource }, unknown);
}

/**
 * Drops what the structural schema does not specify, and names it. The root counts as an embedded
 * resource. Idempotent; the input is not changed.
 */
export function prune(root: unknown, schema: SchemaNode): Pruned {
  const unknownFields: string[] = [];
  if (!isJsonObject(root)) return { value: root, unknownFields };
  const value = pruneObject(root, schema, { path: '', isResource: true }, unknownFields);
  return { value, unknownFields };
}

/** Prunes a value that is not the root of an object, such as a default. */
export function pruneNode(value: unknown, schema: SchemaNode): Pruned {
  const unknownFields: string[] = [];
  return { value: pruneValue(value, schema, '', unknownFields), unknownFields };
}
