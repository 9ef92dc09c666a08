import { type PatchSchema, unknownPatchSchema } from '@slipway/api';
import { type FieldType, shapeOf } from '../types/type-table.ts';

/** The schema of a built-in type by its name in the tables. */
export function patchSchemaOf(typeName: string): PatchSchema {
  return schemaOf({ kind: 'object', type: typeName }, [], '');
}

function schemaOf(type: FieldType, strategy: readonly string[], mergeKey: string): PatchSchema {
  return {
    strategy,
    mergeKey,
    member: (key) => memberSchema(type, key),
    element: () => (type.kind === 'list' ? schemaOf(type.element, [], '') : unknownPatchSchema),
  };
}

function memberSchema(type: FieldType, key: string): PatchSchema {
  if (type.kind === 'map') return schemaOf(type.element, [], '');
  if (type.kind !== 'object') return unknownPatchSchema;
  const field = shapeOf(type.type).fields.get(key);
  if (field === undefined) return unknownPatchSchema;
  return schemaOf(field.type, field.patchStrategy, field.mergeKey);
}
