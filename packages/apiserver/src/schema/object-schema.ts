import { isJsonObject } from '@slipway/base';
import type { FieldError, ObjectSchema, StoredObject } from '../contract.ts';
import { applyDefaults } from './apply-defaults.ts';
import { TimeIsOver, withinTime } from './bounded-time.ts';
import { invalid } from './field-errors.ts';
import { prune } from './prune.ts';
import { publishedSchema } from './published-schema.ts';
import type { SchemaNode } from './schema-node.ts';
import { validateListTypes, validateValue } from './validate.ts';

/** Judges the `x-kubernetes-validations` of a schema. */
export interface RuleValidator {
  validate(object: unknown, old?: unknown): readonly FieldError[];
}

/** Errors after which rules are not evaluated: they would see values of the wrong shape or size. */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
]);

const rulesNotChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function isStoredObject(value: unknown): value is StoredObject {
  return (
    isJsonObject(value) &&
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string'
  );
}

/** An object with the type and metadata members that every stored object has. */
function toStoredObject(value: unknown): StoredObject {
  const object: Record<string, unknown> = isJsonObject(value) ? { ...value } : {};
  if (typeof object['apiVersion'] !== 'string') object['apiVersion'] = '';
  if (typeof object['kind'] !== 'string') object['kind'] = '';
  if (!isJsonObject(object['metadata'])) object['metadata'] = {};
  if (isStoredObject(object)) return object;
  throw new TypeError('build stored object: type members are missing');
}

/** apiVersion, kind and metadata are judged by the server itself; a CRD may restrict metadata no further. */
function withoutMetadata(object: unknown): unknown {
  if (!isJsonObject(object)) return object;
  const { metadata, ...rest } = object;
  if (!isJsonObject(metadata)) return rest;
  const names = ['name', 'generateName'].filter((name) => typeof metadata[name] === 'string');
  return { ...rest, metadata: Object.fromEntries(names.map((name) => [name, metadata[name]])) };
}

type Judging = { readonly schema: SchemaNode; readonly rules?: RuleValidator };

function judge(object: unknown, old: unknown, { schema, rules }: Judging): readonly FieldError[] {
  const value = withoutMetadata(object);
  const before = old === undefined ? undefined : withoutMetadata(old);
  const errors = [
    ...validateValue(value, schema, '', before),
    ...validateListTypes(value, schema, '', before),
  ];
  if (rules === undefined) return errors;
  if (errors.some((error) => blocking.has(error.reason))) {
    return [...errors, invalid('', null, rulesNotChecked)];
  }
  return [...errors, ...rules.validate(object, old)];
}

/** How objects of a custom kind are decoded and judged. `rules` is absent when the schema has none. */
export function createObjectSchema(schema: SchemaNode, rules?: RuleValidator): ObjectSchema {
  return {
    strategicMerge: false,
    openApi: publishedSchema(schema),
    prune(object) {
      const { value, unknownFields } = prune(object, schema);
      return { object: toStoredObject(value), unknownFields };
    },
    applyDefaults: (object) => toStoredObject(applyDefaults(object, schema)),
    validate(object, old) {
      try {
        return withinTime(() => judge(object, old, { schema, ...(rules && { rules }) }));
      } catch (error) {
        if (!(error instanceof TimeIsOver)) throw error;
        const detail = `the patterns and rules of its definition ${error.message}`;
        return [invalid('', 'object', detail)];
      }
    },
  };
}
