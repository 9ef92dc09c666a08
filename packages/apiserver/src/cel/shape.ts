import { propertySchema, type SchemaNode } from '../schema/schema-node.ts';

/** What is known of a CEL value before it exists: enough to refuse wrong fields and mixed types. */
export type Shape =
  | { readonly kind: 'list'; readonly element: Shape }
  | { readonly kind: 'map'; readonly value: Shape }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: ScalarKind };

export type ScalarKind =
  | 'dyn'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'type'
  | 'timestamp'
  | 'duration';

export const dyn: Shape = { kind: 'dyn' };
export const string: Shape = { kind: 'string' };
export const bool: Shape = { kind: 'bool' };
export const int: Shape = { kind: 'int' };

const reserved = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

/** A property's name as rules spell it (`__dash__` for `-`); undefined: rules cannot name it. */
export function escapeProperty(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  const escaped = name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

/** The schema of what every object resource has, as far as rules may read it. */
const typeMeta: Readonly<Record<string, SchemaNode>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: {
    type: 'object',
    properties: { name: { type: 'string' }, generateName: { type: 'string' } },
  },
};

/** A resource's schema with apiVersion, kind and the readable part of metadata spelled out. */
export function withTypeMeta(schema: SchemaNode): SchemaNode {
  return { ...schema, properties: { ...schema.properties, ...typeMeta } };
}

/** The schema that rules see: the root and embedded resources have type metadata. */
export function ruleSchema(schema: SchemaNode): SchemaNode {
  return schema['x-kubernetes-embedded-resource'] === true ? withTypeMeta(schema) : schema;
}

const scalarOfFormat: Readonly<Record<string, ScalarKind>> = {
  'date-time': 'timestamp',
  datetime: 'timestamp',
  date: 'timestamp',
  duration: 'duration',
  byte: 'bytes',
};

/** CEL kind of a string with this format. */
export function stringKind(format: string | undefined): ScalarKind {
  const known = format !== undefined && Object.hasOwn(scalarOfFormat, format);
  return (known ? scalarOfFormat[format] : undefined) ?? 'string';
}

function objectShape(schema: SchemaNode): Shape {
  const { additionalProperties } = schema;
  if (schema.properties === undefined && additionalProperties !== undefined) {
    const value = typeof additionalProperties === 'object' ? shapeOf(additionalProperties) : dyn;
    return { kind: 'map', value };
  }
  const resource = ruleSchema(schema);
  const fields = new Map<string, Shape>();
  for (const name of Object.keys(resource.properties ?? {})) {
    const escaped = escapeProperty(name);
    const property = propertySchema(resource, name);
    if (escaped !== undefined && property !== undefined) fields.set(escaped, shapeOf(property));
  }
  return { kind: 'object', fields };
}

/** What rules may assume of a value with this schema. */
export function shapeOf(schema: SchemaNode): Shape {
  if (schema['x-kubernetes-int-or-string'] === true) return dyn;
  switch (schema.type) {
    case 'array':
      return { kind: 'list', element: shapeOf(schema.items ?? {}) };
    case 'object':
      return objectShape(schema);
    case 'string':
      return { kind: stringKind(schema.format) };
    case 'integer':
      return int;
    case 'number':
      return { kind: 'double' };
    case 'boolean':
      return bool;
    default:
      return dyn;
  }
}

/** The type's name in a message: `list(string)`. */
export function describeShape(shape: Shape): string {
  if (shape.kind === 'list') return `list(${describeShape(shape.element)})`;
  if (shape.kind === 'map') return `map(string, ${describeShape(shape.value)})`;
  return shape.kind;
}
