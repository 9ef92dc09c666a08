import { canonicalJson, isJsonObject } from '@slipway/base';
import type { FieldError } from '../contract.ts';
import { duplicate } from './field-errors.ts';
import { propertySchema, type SchemaNode } from './schema-node.ts';

/** The key members of an item of a `map` list, defaults of the schema included. */
export function mapKeyOf(item: unknown, schema: SchemaNode): Readonly<Record<string, unknown>> {
  const keys: Record<string, unknown> = {};
  if (!isJsonObject(item)) return keys;
  const items = schema.items ?? {};
  for (const name of schema['x-kubernetes-list-map-keys'] ?? []) {
    const value = item[name] ?? propertySchema(items, name)?.default;
    if (value !== undefined) keys[name] = value;
  }
  return keys;
}

/** Items of a `set` list that are repeated, and items of a `map` list with the same keys. */
export function validateListType(
  list: readonly unknown[],
  schema: SchemaNode,
  path: string,
): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return [];
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, item] of list.entries()) {
    const identity = listType === 'set' ? item : mapKeyOf(item, schema);
    const text = canonicalJson(identity);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    // The first repetition is reported and no further ones, as upstream does.
    if (count === 2) errors.push(duplicate(`${path}[${index}]`, identity));
  }
  return errors;
}

/** For each item of a `map` list its counterpart in the old list; undefined for other list types. */
export function correlateItems(
  old: unknown,
  schema: SchemaNode,
): ((item: unknown) => unknown) | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined;
  const byKey = new Map(old.map((item) => [canonicalJson(mapKeyOf(item, schema)), item]));
  return (item) => byKey.get(canonicalJson(mapKeyOf(item, schema)));
}
