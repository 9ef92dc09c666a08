import { isJsonObject, jsonEqual } from '@slipway/base';
import type { FieldError } from '../contract.ts';
import { invalid, notSupported, required, tooMany, typeInvalid } from './field-errors.ts';
import { correlateItems, validateListType } from './list-types.ts';
import { childPath, mapValueSchema, propertySchema, type SchemaNode } from './schema-node.ts';
import { validateComposition } from './validate-composition.ts';
import { validateNumber, validateString } from './validate-scalar.ts';

/** JSON type of a value, in the words of a schema. */
export function jsonTypeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function allowedTypes(schema: SchemaNode): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

function validateType(value: unknown, schema: SchemaNode, path: string): FieldError[] {
  const allowed = allowedTypes(schema);
  const actual = jsonTypeOf(value);
  if (allowed.length === 0 || allowed.includes(actual)) return [];
  if (actual === 'null' && schema.nullable === true) return [];
  if (actual === 'integer' && allowed.includes('number')) return [];
  const detail = `${path} in body must be of type ${allowed.join(',')}: "${actual}"`;
  return [typeInvalid(path, actual, detail)];
}

function validateEnum(value: unknown, schema: SchemaNode, path: string): FieldError[] {
  if (schema.enum === undefined || (value === null && schema.nullable === true)) return [];
  if (schema.enum.some((entry) => jsonEqual(entry, value))) return [];
  return [notSupported(path, value, schema.enum)];
}

function validateItems(
  list: readonly unknown[],
  schema: SchemaNode,
  path: string,
  old: unknown,
): FieldError[] {
  const { items } = schema;
  if (items === undefined) return [];
  const counterpart = correlateItems(old, schema);
  return list.flatMap((item, index) =>
    validateValue(item, items, `${path}[${index}]`, counterpart?.(item)),
  );
}

function validateList(
  list: readonly unknown[],
  schema: SchemaNode,
  path: string,
  old: unknown,
): FieldError[] {
  const errors: FieldError[] = [];
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && list.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    errors.push(invalid(path, list.length, detail));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    errors.push(tooMany(path, list.length, maxItems));
  }
  errors.push(...validateItems(list, schema, path, old));
  return errors;
}

function validateMembers(
  object: Record<string, unknown>,
  schema: SchemaNode,
  path: string,
  old: unknown,
): FieldError[] {
  const values = mapValueSchema(schema);
  const before = isJsonObject(old) ? old : {};
  return Object.entries(object).flatMap(([name, member]) => {
    const memberSchema = propertySchema(schema, name) ?? values;
    if (memberSchema === undefined) return [];
    return validateValue(member, memberSchema, childPath(path, name), before[name]);
  });
}

function validateObject(
  object: Record<string, unknown>,
  schema: SchemaNode,
  path: string,
  old: unknown,
): FieldError[] {
  const errors: FieldError[] = [];
  const { minProperties, maxProperties } = schema;
  const count = Object.keys(object).length;
  if (minProperties !== undefined && count < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    errors.push(invalid(path, count, detail));
  }
  if (maxProperties !== undefined && count > maxProperties) {
    errors.push(tooMany(path, count, maxProperties));
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(object, name)) errors.push(required(childPath(path, name)));
  }
  if (schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(...validateEmbedded(object, path));
  }
  errors.push(...validateMembers(object, schema, path, old));
  return errors;
}

/** An embedded resource says what it is. */
function validateEmbedded(object: Record<string, unknown>, path: string): FieldError[] {
  return ['apiVersion', 'kind']
    .filter((name) => typeof object[name] !== 'string' || object[name] === '')
    .map((name) => required(childPath(path, name), 'must not be empty'));
}

function validateByKind(
  value: unknown,
  schema: SchemaNode,
  path: string,
  old: unknown,
): FieldError[] {
  if (typeof value === 'string') return validateString(value, schema, path);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return validateNumber(Number(value), schema, path);
  }
  if (Array.isArray(value)) return validateList(value, schema, path, old);
  return isJsonObject(value) ? validateObject(value, schema, path, old) : [];
}

/**
 * Judges one value by its schema in upstream's words. What is equal to its counterpart in `old` is
 * not judged again (ratcheting), so that tightening a schema does not block unrelated updates.
 */
export function validateValue(
  value: unknown,
  schema: SchemaNode,
  path: string,
  old?: unknown,
): FieldError[] {
  if (old !== undefined && jsonEqual(value, old)) return [];
  return [
    ...validateType(value, schema, path),
    ...validateByKind(value, schema, path, old),
    ...validateEnum(value, schema, path),
    ...validateComposition(value, schema, path, validateValue),
  ];
}

/** Repeated items of set and map lists, anywhere below `value`; unchanged lists are not judged again. */
export function validateListTypes(
  value: unknown,
  schema: SchemaNode,
  path: string,
  old?: unknown,
): FieldError[] {
  if (old !== undefined && jsonEqual(value, old)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    const counterpart = correlateItems(old, schema);
    const below =
      items === undefined
        ? []
        : value.flatMap((item, index) =>
            validateListTypes(item, items, `${path}[${index}]`, counterpart?.(item)),
          );
    return [...validateListType(value, schema, path), ...below];
  }
  if (!isJsonObject(value)) return [];
  const values = mapValueSchema(schema);
  const before = isJsonObject(old) ? old : {};
  return Object.entries(value).flatMap(([name, member]) => {
    const memberSchema = propertySchema(schema, name) ?? values;
    if (memberSchema === undefined) return [];
    return validateListTypes(member, memberSchema, childPath(path, name), before[name]);
  });
}
