import { isJsonObject } from '@slipway/base';
import { mapValueSchema, propertySchema, type SchemaNode } from './schema-node.ts';

function isForbiddenNull(value: unknown, schema: SchemaNode): boolean {
  return value === null && schema.nullable !== true;
}

function defaultMembers(
  object: Readonly<Record<string, unknown>>,
  schema: SchemaNode,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...object };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const absent = !Object.hasOwn(result, name) || isForbiddenNull(result[name], property);
    if (absent && property.default !== undefined && property.default !== null) {
      result[name] = structuredClone(property.default);
    }
  }
  return result;
}

function defaultObject(object: Readonly<Record<string, unknown>>, schema: SchemaNode): unknown {
  const result = defaultMembers(object, schema);
  const values = mapValueSchema(schema);
  for (const [name, member] of Object.entries(result)) {
    const memberSchema = propertySchema(schema, name) ?? values;
    if (memberSchema === undefined) continue;
    if (isForbiddenNull(member, memberSchema)) delete result[name];
    else result[name] = applyDefaults(member, memberSchema);
  }
  return result;
}

/**
 * Fills absent members from the schema's defaults, and drops nulls where null is not allowed, as a
 * real server does before it validates. Idempotent; the input is not changed.
 */
export function applyDefaults(value: unknown, schema: SchemaNode): unknown {
  if (Array.isArray(value)) {
    const items = schema.items;
    return items === undefined ? value : value.map((item) => applyDefaults(item, items));
  }
  return isJsonObject(value) ? defaultObject(value, schema) : value;
}
