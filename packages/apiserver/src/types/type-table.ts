import { BugError } from '@slipway/base';
import { apiserverErrorCodes } from '../errors.ts';
import generated from '../generated/type-tables.json' with { type: 'json' };

/** Scalars by their meaning; `raw` is any JSON, the `schemaOr…` ones are JSONSchemaProps' unions. */
export type ScalarKind =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microtime'
  | 'duration'
  | 'quantity'
  | 'intstr'
  | 'raw'
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStrings';

export type FieldType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list' | 'map'; readonly element: FieldType; readonly wrapped?: boolean }
  | { readonly kind: 'object'; readonly type: string };

export type Field = {
  readonly name: string;
  readonly type: FieldType;
  /** Protobuf field number; 0: not on the wire. */
  readonly number: number;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  /** `merge`, `replace`, `retainKeys`, in any combination. */
  readonly patchStrategy: readonly string[];
  /** Empty: none. */
  readonly mergeKey: string;
};

/** One Go struct: its fields as JSON shows them, and as protobuf nests them. */
export type TypeShape = {
  /** `io.k8s.api.core.v1.Pod`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** By protobuf number; an inlined struct is one message on the wire. */
  readonly wire: ReadonlyMap<number, { readonly field: Field; readonly inline: boolean }>;
};

const flagPointer = 1;
const flagOmitEmpty = 2;
const flagInline = 4;

type Entry = readonly (string | number)[];
const tables = generated.types as unknown as Readonly<
  Record<string, Readonly<Record<string, Entry>>>
>;
const shapes = new Map<string, TypeShape>();

/** The module version that the tables were generated from. */
export const typeTableVersion: string = generated.version;

function parseType(text: string): FieldType {
  if (text.startsWith('[]')) return { kind: 'list', element: parseType(text.slice(2)) };
  if (text.startsWith('{}')) return { kind: 'map', element: parseType(text.slice(2)) };
  if (text.startsWith('@')) return { kind: 'object', type: text.slice(1) };
  if (text === 'strings') return { kind: 'list', element: { kind: 'string' }, wrapped: true };
  return { kind: text as ScalarKind };
}

function parseField(name: string, entry: Entry): Field {
  const [type, number, flags, strategy, mergeKey] = entry;
  const bits = Number(flags);
  return {
    name,
    type: parseType(String(type)),
    number: Number(number),
    pointer: (bits & flagPointer) !== 0,
    omitEmpty: (bits & flagOmitEmpty) !== 0,
    patchStrategy: strategy === undefined ? [] : String(strategy).split(','),
    mergeKey: String(mergeKey ?? ''),
  };
}

function buildShape(name: string): TypeShape {
  const table = tables[name];
  if (table === undefined) {
    throw new BugError(`find type ${name}: not in the table`, {
      code: apiserverErrorCodes.unknownType,
    });
  }
  const fields = new Map<string, Field>();
  const wire = new Map<number, { field: Field; inline: boolean }>();
  for (const [key, entry] of Object.entries(table)) {
    const field = parseField(key, entry);
    const inline = (Number(entry[2]) & flagInline) !== 0;
    if (field.number > 0) wire.set(field.number, { field, inline });
    if (!inline) fields.set(key, field);
    else if (field.type.kind === 'object') {
      for (const [inner, innerField] of shapeOf(field.type.type).fields)
        fields.set(inner, innerField);
    }
  }
  return { name, fields, wire };
}

/** The shape of a type by its full name; throws BugError for names that are not in the tables. */
export function shapeOf(name: string): TypeShape {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const built = buildShape(name);
  shapes.set(name, built);
  return built;
}
