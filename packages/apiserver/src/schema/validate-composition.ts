import type { FieldError } from '../contract.ts';
import { invalid } from './field-errors.ts';
import type { SchemaNode } from './schema-node.ts';

type Judge = (value: unknown, schema: SchemaNode, path: string) => readonly FieldError[];

type Outcome = { readonly valid: number; readonly best: readonly FieldError[] };

function tryAll(
  alternatives: readonly SchemaNode[],
  value: unknown,
  path: string,
  judge: Judge,
): Outcome {
  let valid = 0;
  let best: readonly FieldError[] | undefined;
  for (const alternative of alternatives) {
    const errors = judge(value, alternative, path);
    if (errors.length === 0) valid += 1;
    else if (best === undefined || errors.length < best.length) best = errors;
  }
  return { valid, best: best ?? [] };
}

function composite(path: string, detail: string): FieldError {
  return invalid('', '', `"${path}" ${detail}`);
}

function validateAnyOf(value: unknown, schema: SchemaNode, path: string, judge: Judge) {
  if (schema.anyOf === undefined || schema.anyOf.length === 0) return [];
  const { valid, best } = tryAll(schema.anyOf, value, path, judge);
  if (valid > 0) return [];
  return [composite(path, 'must validate at least one schema (anyOf)'), ...best];
}

function validateOneOf(value: unknown, schema: SchemaNode, path: string, judge: Judge) {
  if (schema.oneOf === undefined || schema.oneOf.length === 0) return [];
  const { valid, best } = tryAll(schema.oneOf, value, path, judge);
  if (valid === 1) return [];
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  const error = composite(path, `must validate one and only one schema (oneOf). ${found}`);
  return valid === 0 ? [error, ...best] : [error];
}

function validateAllOf(value: unknown, schema: SchemaNode, path: string, judge: Judge) {
  const alternatives = schema.allOf ?? [];
  const errors = alternatives.flatMap((alternative) => judge(value, alternative, path));
  if (errors.length === 0) return [];
  return [...errors, composite(path, 'must validate all the schemas (allOf)')];
}

/** Judges allOf, anyOf, oneOf and not. Their errors carry no field, as upstream's do not. */
export function validateComposition(
  value: unknown,
  schema: SchemaNode,
  path: string,
  judge: Judge,
): FieldError[] {
  const errors = [
    ...validateAnyOf(value, schema, path, judge),
    ...validateOneOf(value, schema, path, judge),
    ...validateAllOf(value, schema, path, judge),
  ];
  if (schema.not !== undefined && judge(value, schema.not, path).length === 0) {
    errors.push(composite(path, 'must not validate the schema (not)'));
  }
  return errors;
}
