import { isJsonObject } from '@slipway/base';
import { mapValueSchema, propertySchema, type SchemaNode } from './schema-node.ts';

function isForbiddenNull(value: unknown, schema: SchemaNode): boolean {
  return value === null && schema.nullable !== true;
}

type Members = readonly (readonly [string, unknown])[];

/** The members of `object` and of its defaults; entries, so that `__proto__` stays a member. */
function defaultMembers(object: Readonly<Record<string, unknown>>, schema: SchemaNode): Members {
  const added: [string, unknown][] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const absent = !Object.hasOwn(object, name) || isForbiddenNull(object[name], property);
    if (absent && property.default !== undefined && property.default !== null) {
      added.push([name, structuredClone(property.default)]);
    }
  }
  const names = new Set(added.map(([name]) => name));
  return [...Object.entries(object).filter(([name]) => !names.has(name)), ...added];
}

function defaultObject(object: Readonly<Record<string, unknown>>, schema: SchemaNode): unknown {
  const values = mapValueSchema(schema);
  const members = defaultMembers(object, schema).flatMap(([name, member]) => {
    const memberSchema = propertySchema(schema, name) ?? values;
    if (memberSchema === undefined) return [[name, member]];
    if (isForbiddenNull(member, memberSchema)) return [];
    return [[name, applyDefaults(member, memberSchema)]];
  });
  return Object.fromEntries(members);
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
