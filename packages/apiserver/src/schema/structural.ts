import { isJsonObject } from '@slipway/base';
import type { FieldError } from '../contract.ts';
import { forbidden, invalid, notSupported, required } from './field-errors.ts';
import { compilePattern } from './pattern.ts';
import { mapValueSchema, propertySchema, type SchemaNode } from './schema-node.ts';
import { checkDefault } from './structural-default.ts';
import { checkLogic } from './structural-logic.ts';

type Level = 'root' | 'field' | 'item';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = [
  '$ref',
  'id',
  'definitions',
  'dependencies',
  'patternProperties',
  'additionalItems',
  '$schema',
];

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

function checkType(schema: SchemaNode, path: string, level: Level): FieldError[] {
  const { type = '' } = schema;
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  if (type === '') {
    const optional = level !== 'root' && (open || intOrString);
    return optional ? [] : [required(`${path}.type`, emptyType[level])];
  }
  if (!types.includes(type)) return [notSupported(`${path}.type`, type, types)];
  if (level === 'root' && type !== 'object') {
    return [invalid(`${path}.type`, type, 'must be object at the root')];
  }
  if (!intOrString) return [];
  const detail = 'must be empty if x-kubernetes-int-or-string is true';
  return [invalid(`${path}.type`, type, detail)];
}

function checkListMap(schema: SchemaNode, path: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) {
    return [required(keysPath, 'must not be empty if x-kubernetes-list-type is map')];
  }
  const items = schema.items ?? {};
  return keys.flatMap((key, index) => {
    const property = propertySchema(items, key);
    if (property === undefined) {
      const detail = 'entries must all be names of item properties';
      return [invalid(`${keysPath}[${index}]`, key, detail)];
    }
    if (items.required?.includes(key) === true || property.default !== undefined) return [];
    const where = `${path}.items.properties[${key}].default`;
    return [
      required(
        where,
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ),
    ];
  });
}

function checkList(schema: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const listType = schema['x-kubernetes-list-type'];
  if (schema.type === 'array' && schema.items === undefined) {
    errors.push(required(`${path}.items`, 'must be specified'));
  }
  if (schema.uniqueItems === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  if (listType === undefined) return errors;
  const listTypePath = `${path}.x-kubernetes-list-type`;
  if (!['atomic', 'map', 'set'].includes(listType)) {
    errors.push(notSupported(listTypePath, listType, ['atomic', 'map', 'set']));
  }
  if (schema.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    errors.push(invalid(`${path}.type`, schema.type ?? '', detail));
  }
  return listType === 'map' ? [...errors, ...checkListMap(schema, path)] : errors;
}

function checkExtensions(schema: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const mapType = schema['x-kubernetes-map-type'];
  const open = schema['x-kubernetes-preserve-unknown-fields'];
  if (open === false) {
    const where = `${path}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalid(where, false, 'must be true or undefined'));
  }
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  if (schema['x-kubernetes-embedded-resource'] !== true) return errors;
  if (schema.type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(invalid(`${path}.type`, schema.type ?? '', detail));
  }
  if (schema.properties === undefined && open !== true) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, detail));
  }
  return errors;
}

function checkPattern(schema: SchemaNode, path: string): FieldError[] {
  if (schema.pattern === undefined) return [];
  try {
    compilePattern(schema.pattern);
    return [];
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const detail = `must be a valid regular expression, but isn't: ${cause}`;
    return [invalid(`${path}.pattern`, schema.pattern, detail)];
  }
}

function checkMetadata(schema: SchemaNode, path: string): FieldError[] {
  const metadata = propertySchema(schema, 'metadata');
  if (metadata === undefined) return [];
  const names = Object.keys(metadata.properties ?? {});
  if (names.every((name) => name === 'name' || name === 'generateName')) return [];
  return [
    forbidden(
      `${path}.properties[metadata]`,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    ),
  ];
}

function checkMembers(schema: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { properties, additionalProperties, items } = schema;
  if (properties !== undefined && additionalProperties !== undefined) {
    errors.push(forbidden(path, 'additionalProperties and properties are mutual exclusive'));
  }
  if (additionalProperties === false) {
    const detail = 'additionalProperties cannot be set to false';
    errors.push(forbidden(`${path}.additionalProperties`, detail));
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    errors.push(...checkNode(property, `${path}.properties[${name}]`, 'field'));
  }
  const values = mapValueSchema(schema);
  if (values !== undefined) {
    errors.push(...checkNode(values, `${path}.additionalProperties`, 'field'));
  }
  if (items !== undefined) errors.push(...checkNode(items, `${path}.items`, 'item'));
  return errors;
}

function checkNode(schema: SchemaNode, path: string, level: Level): FieldError[] {
  // A null in the document is an empty schema, and an empty schema has no type.
  if (!isJsonObject(schema)) return [required(`${path}.type`, emptyType[level])];
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  return [
    ...unsupported
      .filter((name) => Object.hasOwn(schema, name))
      .map((name) => forbidden(`${path}.${name}`, `${name} is not supported`)),
    ...checkType(schema, path, level),
    ...checkList(schema, path),
    ...checkExtensions(schema, path),
    ...checkPattern(schema, path),
    ...(isResource ? checkMetadata(schema, path) : []),
    ...checkLogic(schema, path),
    ...checkMembers(schema, path),
    ...(level === 'root' ? [] : checkDefault(schema, path)),
  ];
}

/** What keeps a CRD's schema from being structural, in upstream's words. Empty: it can be served. */
export function checkStructural(schema: SchemaNode, path: string): readonly FieldError[] {
  const errors = checkNode(schema, path, 'root');
  if (schema.default === undefined) return errors;
  return [...errors, forbidden(`${path}.default`, 'must not be set at the root')];
}
