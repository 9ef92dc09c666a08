import type { FieldError } from '../contract.ts';
import { forbidden, required } from './field-errors.ts';
import { propertySchema, type SchemaNode } from './schema-node.ts';

/** Parts of a schema that say what a value is; below allOf, anyOf, oneOf and not they are forbidden. */
const structure: readonly (keyof SchemaNode)[] = [
  'description',
  'type',
  'default',
  'nullable',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
];

function isTypeOfIntOrString(outer: SchemaNode, name: keyof SchemaNode): boolean {
  return name === 'type' && outer['x-kubernetes-int-or-string'] === true;
}

function checkNested(outer: SchemaNode, nested: SchemaNode, path: string): FieldError[] {
  const errors = structure
    .filter((name) => nested[name] !== undefined && !isTypeOfIntOrString(outer, name))
    .map((name) => forbidden(`${path}.${name}`, 'must be empty to be structural'));
  for (const [name, property] of Object.entries(nested.properties ?? {})) {
    const where = `${path}.properties[${name}]`;
    const defined = propertySchema(outer, name);
    if (defined === undefined) {
      errors.push(required(where, `because it is defined in ${path}`));
    } else errors.push(...checkNested(defined, property, where));
  }
  if (nested.items !== undefined) {
    if (outer.items === undefined) {
      errors.push(required(`${path}.items`, `because it is defined in ${path}`));
    } else errors.push(...checkNested(outer.items, nested.items, `${path}.items`));
  }
  return [...errors, ...checkBranches(outer, nested, path)];
}

function checkBranches(outer: SchemaNode, holder: SchemaNode, path: string): FieldError[] {
  const errors = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (holder[keyword] ?? []).flatMap((nested, index) =>
      checkNested(outer, nested, `${path}.${keyword}[${index}]`),
    ),
  );
  if (holder.not === undefined) return errors;
  return [...errors, ...checkNested(outer, holder.not, `${path}.not`)];
}

/** Value validation in allOf, anyOf, oneOf and not may restrict what is specified, never specify more. */
export function checkLogic(schema: SchemaNode, path: string): FieldError[] {
  return checkBranches(schema, schema, path);
}
