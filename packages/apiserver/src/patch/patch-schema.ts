import { type FieldType, shapeOf } from '../types/type-table.ts';

/** How a strategic merge patch treats a value; undefined type: nothing is known (free JSON). */
export type PatchSchema = {
  readonly type: FieldType | undefined;
  readonly strategy: readonly string[];
  readonly mergeKey: string;
};

const unknownSchema: PatchSchema = { type: undefined, strategy: [], mergeKey: '' };

/** The schema of a type by its name in the tables. */
export function rootSchema(typeName: string): PatchSchema {
  return { type: { kind: 'object', type: typeName }, strategy: [], mergeKey: '' };
}

/** The schema of member `key` of an object or map. */
export function memberSchema(schema: PatchSchema, key: string): PatchSchema {
  const { type } = schema;
  if (type?.kind === 'map') return { ...unknownSchema, type: type.element };
  if (type?.kind !== 'object') return unknownSchema;
  const field = shapeOf(type.type).fields.get(key);
  if (field === undefined) return unknownSchema;
  return { type: field.type, strategy: field.patchStrategy, mergeKey: field.mergeKey };
}

/** The schema of the elements of a list. */
export function elementSchema(schema: PatchSchema): PatchSchema {
  return schema.type?.kind === 'list'
    ? { ...unknownSchema, type: schema.type.element }
    : unknownSchema;
}
