import type { CelInput } from '@bufbuild/cel';
import { isJsonObject } from '@slipway/base';
import { mapValueSchema, propertySchema, type SchemaNode } from '../schema/schema-node.ts';
import { escapeProperty, ruleSchema, stringKind } from './shape.ts';

/** Makes timestamps and durations, which only the expression library can. */
export type TimeValues = {
  readonly timestamp: (text: string) => CelInput;
  readonly duration: (text: string) => CelInput;
};

/** Numbers without a schema: whole ones are ints. */
function plainNumber(value: number): CelInput {
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** A JSON value of unknown schema. */
export function plainToCel(value: unknown): CelInput {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return plainNumber(value);
  if (Array.isArray(value)) return value.map((item) => plainToCel(item));
  if (isJsonObject(value)) {
    return new Map(Object.entries(value).map(([name, member]) => [name, plainToCel(member)]));
  }
  if (typeof value === 'bigint' || typeof value === 'string' || typeof value === 'boolean') {
    return value;
  }
  return null;
}

function numberToCel(value: number | bigint, schema: SchemaNode): CelInput {
  if (schema.type === 'number') return Number(value);
  return typeof value === 'bigint' ? value : plainNumber(value);
}

function textToCel(value: string, schema: SchemaNode, times: TimeValues): CelInput {
  switch (schema.type === 'string' ? stringKind(schema.format) : 'string') {
    case 'timestamp':
      return times.timestamp(schema.format === 'date' ? `${value}T00:00:00Z` : value);
    case 'duration':
      return times.duration(value);
    case 'bytes':
      return new Uint8Array(Buffer.from(value, 'base64'));
    default:
      return value;
  }
}

function objectToCel(
  object: Record<string, unknown>,
  schema: SchemaNode,
  times: TimeValues,
): CelInput {
  const resource = ruleSchema(schema);
  const values = resource.properties === undefined ? mapValueSchema(resource) : undefined;
  const open = resource.type === undefined || resource.additionalProperties === true;
  const result = new Map<string, CelInput>();
  for (const [name, member] of Object.entries(object)) {
    const property = propertySchema(resource, name);
    if (property !== undefined) {
      const escaped = escapeProperty(name);
      if (escaped !== undefined) result.set(escaped, toCel(member, property, times));
    } else if (values !== undefined) result.set(name, toCel(member, values, times));
    else if (open) result.set(name, plainToCel(member));
  }
  return result;
}

/** A JSON value as rules see it: integers are ints, property names are escaped, times are times. */
export function toCel(value: unknown, schema: SchemaNode, times: TimeValues): CelInput {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint') return numberToCel(value, schema);
  if (typeof value === 'string') return textToCel(value, schema, times);
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const items = schema.items ?? {};
    return value.map((item) => toCel(item, items, times));
  }
  return isJsonObject(value) ? objectToCel(value, schema, times) : null;
}
