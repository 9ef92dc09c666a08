import type { FieldError } from '../contract.ts';
import { applyDefaults } from './apply-defaults.ts';
import { invalid } from './field-errors.ts';
import { pruneNode } from './prune.ts';
import type { SchemaNode } from './schema-node.ts';
import { validateListTypes, validateValue } from './validate.ts';

/** A default must survive pruning and be valid itself; otherwise objects would be born invalid. */
export function checkDefault(schema: SchemaNode, path: string): FieldError[] {
  if (schema.default === undefined) return [];
  const where = `${path}.default`;
  if (pruneNode(schema.default, schema).unknownFields.length > 0) {
    return [invalid(where, schema.default, 'must not have unknown fields')];
  }
  const value = applyDefaults(schema.default, schema);
  return [...validateValue(value, schema, where), ...validateListTypes(value, schema, where)];
}
