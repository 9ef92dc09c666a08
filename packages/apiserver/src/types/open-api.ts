import { type Field, type FieldType, shapeOf } from './type-table.ts';

type Schema = Readonly<Record<string, unknown>>;

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const time = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time';
const microTime = 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime';

/** Named schemas of values that are no structs. */
const scalarSchemas: Readonly<Record<string, Schema>> = {
  [quantity]: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  [intOrString]: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  [time]: { type: 'string', format: 'date-time' },
  [microTime]: { type: 'string', format: 'date-time' },
};

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const plain: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  duration: { type: 'string' },
  quantity: reference(quantity),
  intstr: reference(intOrString),
  time: reference(time),
  microtime: reference(microTime),
  raw: { type: 'object' },
  schemaOrArray: {},
  schemaOrBool: {},
  schemaOrStrings: {},
};

function fieldSchema(type: FieldType): Schema {
  switch (type.kind) {
    case 'list':
      return { type: 'array', items: fieldSchema(type.element) };
    case 'map':
      return { type: 'object', additionalProperties: fieldSchema(type.element) };
    case 'object':
      return { allOf: [reference(type.type)], default: {} };
    default: {
      const schema = plain[type.kind] ?? {};
      return '$ref' in schema ? { allOf: [schema] } : schema;
    }
  }
}

function withMerge(field: Field, schema: Schema): Schema {
  return {
    ...schema,
    ...(field.patchStrategy.length === 0
      ? {}
      : { 'x-kubernetes-patch-strategy': field.patchStrategy.join(',') }),
    ...(field.mergeKey === '' ? {} : { 'x-kubernetes-patch-merge-key': field.mergeKey }),
  };
}

/** The OpenAPI v3 schema of one type, with references to the others. */
export function openApiOf(typeName: string): Schema {
  const scalar = scalarSchemas[typeName];
  if (scalar !== undefined) return scalar;
  const shape = shapeOf(typeName);
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const field of shape.fields.values()) {
    properties[field.name] = withMerge(field, fieldSchema(field.type));
    if (!field.omitEmpty && !field.pointer) required.push(field.name);
  }
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

function addReferences(schema: unknown, into: Set<string>): void {
  if (Array.isArray(schema)) {
    for (const item of schema) addReferences(item, into);
  } else if (typeof schema === 'object' && schema !== null) {
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$ref' && typeof value === 'string')
        into.add(value.slice(value.lastIndexOf('/') + 1));
      else addReferences(value, into);
    }
  }
}

/** Names of the types that `schema` refers to, directly. */
export function referencesOf(schema: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  addReferences(schema, found);
  return found;
}
