import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  compileJsonPath,
} from '@slipway/api';
import type { Clock } from '@slipway/base';
import { compileRules, hasRules } from '../cel/compile-rules.ts';
import type { Expressions } from '../cel/expressions.ts';
import { createRuleValidator } from '../cel/rule-validator.ts';
import type { ObjectSchema, ResourceDefinition, StoredObject } from '../contract.ts';
import { createObjectSchema } from '../schema/object-schema.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { namesOf, schemaOf } from './crd-object.ts';
import { printerColumns } from './printer-columns.ts';

const verbs = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
] as const;

export type DefinitionTools = {
  readonly clock: Clock;
  /** Loads the expression library; only called for schemas that have rules. */
  readonly expressions: () => Promise<Expressions>;
};

async function objectSchema(schema: SchemaNode, tools: DefinitionTools): Promise<ObjectSchema> {
  if (!hasRules(schema)) return createObjectSchema(schema);
  const expressions = await tools.expressions();
  const compiled = compileRules(schema, expressions, 'schema');
  return createObjectSchema(schema, createRuleValidator(schema, compiled, expressions.times));
}

/** `/scale` is not served: it is absent from discovery and a request for it is a 404. */
function subresources(version: CustomResourceDefinitionVersion): readonly string[] {
  return version.subresources?.status === undefined ? [] : ['status'];
}

function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function selectableFields(
  version: CustomResourceDefinitionVersion,
): Record<string, (object: StoredObject) => string> {
  const fields = (version.selectableFields ?? []).map(({ jsonPath }) => {
    const read = compileJsonPath(jsonPath);
    return [jsonPath.replace(/^\./, ''), (object: StoredObject) => fieldText(read(object)[0])];
  });
  return Object.fromEntries(fields);
}

async function definitionOf(
  crd: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  tools: DefinitionTools,
): Promise<ResourceDefinition> {
  const warning =
    version.deprecationWarning ??
    `${crd.spec.group}/${version.name} ${crd.spec.names.kind} is deprecated`;
  return {
    group: crd.spec.group,
    version: version.name,
    ...namesOf(crd),
    namespaced: crd.spec.scope === 'Namespaced',
    verbs,
    subresources: subresources(version),
    schema: await objectSchema(schemaOf(version) ?? { type: 'object' }, tools),
    columns: printerColumns(version.additionalPrinterColumns, tools.clock),
    selectableFields: selectableFields(version),
    custom: true,
    hasGeneration: true,
    ...(version.deprecated === true ? { warning } : {}),
  };
}

/** The kinds that a valid CustomResourceDefinition serves: one per served version. */
export function definitionsOf(
  crd: CustomResourceDefinition,
  tools: DefinitionTools,
): Promise<readonly ResourceDefinition[]> {
  const served = crd.spec.versions.filter((version) => version.served);
  return Promise.all(served.map((version) => definitionOf(crd, version, tools)));
}
