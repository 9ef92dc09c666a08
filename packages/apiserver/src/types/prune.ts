import { isJsonObject } from '@slipway/base';
import { badRequest } from '../status/status-errors.ts';
import { canonicalQuantity } from './quantity.ts';
import { type Field, type FieldType, shapeOf } from './type-table.ts';

/** A value of the wrong JSON type; the message is Go's. */
class TypeMismatch extends Error {}

type Position = {
  /** `spec.containers[0].name`. */
  readonly path: string;
  /** The same without indexes, as Go reports it. */
  readonly goPath: string;
  /** Name of the innermost struct. */
  readonly struct: string;
};

const goTypes: Readonly<Record<string, string>> = {
  boolean: 'bool',
  double: 'float64',
  bytes: '[]uint8',
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  intstr: 'intstr.IntOrString',
  duration: 'v1.Duration',
};

function goTypeName(type: FieldType): string {
  if (type.kind === 'list') return `[]${goTypeName(type.element)}`;
  if (type.kind === 'map') return `map[string]${goTypeName(type.element)}`;
  if (type.kind === 'object') return type.type.split('.').slice(-2).join('.');
  return goTypes[type.kind] ?? type.kind;
}

function jsonTypeName(value: unknown, wanted: FieldType): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') {
    const integer = wanted.kind === 'int32' || wanted.kind === 'int64';
    return integer ? `number ${value}` : 'number';
  }
  return typeof value === 'string' ? 'string' : 'object';
}

function mismatch(value: unknown, type: FieldType, at: Position): TypeMismatch {
  return new TypeMismatch(
    `json: cannot unmarshal ${jsonTypeName(value, type)} into Go struct field ${at.struct}.${at.goPath} of type ${goTypeName(type)}`,
  );
}

function isInteger(value: unknown, limit: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= limit;
}

function scalarFits(value: unknown, type: FieldType): boolean {
  switch (type.kind) {
    case 'string':
    case 'bytes':
    case 'time':
    case 'microtime':
    case 'duration':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'int32':
      return isInteger(value, 2 ** 31);
    case 'int64':
      return isInteger(value, 2 ** 63);
    case 'double':
      return typeof value === 'number';
    case 'intstr':
      return typeof value === 'string' || isInteger(value, 2 ** 31);
    default:
      return true;
  }
}

function pruneQuantity(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const canonical = canonicalQuantity(text);
  if (canonical !== undefined) return canonical;
  throw new TypeMismatch(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function pruneScalar(value: unknown, type: FieldType, at: Position): unknown {
  if (type.kind === 'quantity') return pruneQuantity(value);
  if (!scalarFits(value, type)) throw mismatch(value, type, at);
  return value;
}

function pruneList(
  value: unknown,
  type: FieldType & { kind: 'list' | 'map' },
  walk: Walk,
): unknown {
  const { at } = walk;
  if (!Array.isArray(value)) throw mismatch(value, type, at);
  return value.map((item, index) =>
    pruneValue(item ?? null, type.element, {
      ...walk,
      at: { ...at, path: `${at.path}[${index}]` },
    }),
  );
}

function pruneMap(value: unknown, type: FieldType & { kind: 'list' | 'map' }, walk: Walk): unknown {
  const { at } = walk;
  if (!isJsonObject(value)) throw mismatch(value, type, at);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null && type.element.kind.startsWith('schemaOr')) continue;
    const path = `${at.path}.${key}`;
    result[key] = pruneValue(item ?? null, type.element, { ...walk, at: { ...at, path } });
  }
  return result;
}

function zeroOf(type: FieldType): unknown {
  switch (type.kind) {
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    case 'list':
      return [];
    case 'map':
    case 'object':
      return {};
    default:
      return '';
  }
}

function isZero(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Go leaves these out when it writes the value back. */
function isOmitted(field: Field, value: unknown): boolean {
  if (field.pointer || !field.omitEmpty) return false;
  return field.type.kind !== 'object' && field.type.kind !== 'raw' && isZero(value);
}

type Walk = { readonly at: Position; readonly unknown: string[] };

function pruneObject(value: unknown, typeName: string, walk: Walk): Record<string, unknown> {
  const { at, unknown } = walk;
  if (!isJsonObject(value)) throw mismatch(value, { kind: 'object', type: typeName }, at);
  const shape = shapeOf(typeName);
  const struct = typeName.slice(typeName.lastIndexOf('.') + 1);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const field = shape.fields.get(key);
    const path = at.path === '' ? key : `${at.path}.${key}`;
    if (field === undefined) unknown.push(path);
    if (field === undefined || item === null || item === undefined) continue;
    const goPath = at.goPath === '' ? key : `${at.goPath}.${key}`;
    const pruned = pruneValue(item, field.type, { unknown, at: { path, goPath, struct } });
    if (!isOmitted(field, pruned)) result[key] = pruned;
  }
  return result;
}

function pruneValue(value: unknown, type: FieldType, walk: Walk): unknown {
  if (value === null && type.kind !== 'raw') return zeroOf(type);
  switch (type.kind) {
    case 'object':
      return pruneObject(value, type.type, walk);
    case 'list':
      return pruneList(value, type, walk);
    case 'map':
      return pruneMap(value, type, walk);
    case 'schemaOrBool':
      return typeof value === 'boolean' ? value : pruneSchema(value, walk);
    case 'schemaOrArray':
      return Array.isArray(value) ? value : pruneSchema(value, walk);
    case 'schemaOrStrings':
      return Array.isArray(value) ? value : pruneSchema(value, walk);
    default:
      return pruneScalar(value, type, walk.at);
  }
}

const schemaType = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

function pruneSchema(value: unknown, walk: Walk): unknown {
  return pruneObject(value, schemaType, walk);
}

export type Pruned = {
  readonly object: Record<string, unknown>;
  /** Paths of the fields that were dropped. */
  readonly unknownFields: readonly string[];
};

/**
 * What Go would keep of `value` when it decodes and encodes it as `typeName`: unknown fields, nulls
 * and empty optional fields are gone. Throws a 400 Status for values of the wrong type.
 */
export function pruneAs(typeName: string, value: unknown, kind: string, version: string): Pruned {
  const unknown: string[] = [];
  const struct = typeName.slice(typeName.lastIndexOf('.') + 1);
  try {
    const at = { path: '', goPath: '', struct };
    return { object: pruneObject(value, typeName, { at, unknown }), unknownFields: unknown };
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`,
    );
  }
}
