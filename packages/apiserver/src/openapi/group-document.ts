import type { ResourceDefinition } from '../contract.ts';
import { openApiOf, referencesOf } from '../types/open-api.ts';
import { operationPaths } from './operation-paths.ts';

type Json = Readonly<Record<string, unknown>>;

const metadataType = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Name of a kind's schema: that of its type, or the group reversed as upstream does for custom kinds. */
export function schemaName(definition: ResourceDefinition): string {
  const { typeName } = definition.schema;
  if (typeName !== undefined) return typeName;
  const reversed = definition.group.split('.').reverse().join('.');
  return `${reversed}.${definition.version}.${definition.kind}`;
}

function withType(definition: ResourceDefinition): Json {
  const { group, version, kind, schema } = definition;
  const { properties, ...rest } = schema.openApi;
  const known = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    ...(typeof properties === 'object' ? properties : {}),
    metadata: { allOf: [{ $ref: `#/components/schemas/${metadataType}` }], default: {} },
  };
  return {
    type: 'object',
    ...rest,
    properties: known,
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

/** Adds every type that `schemas` refer to. */
function closeReferences(schemas: Record<string, Json>): void {
  const open = Object.values(schemas);
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    for (const name of referencesOf(schema)) {
      if (schemas[name] !== undefined) continue;
      const found = openApiOf(name);
      schemas[name] = found;
      open.push(found);
    }
  }
}

/** The OpenAPI v3 document of one group and version. */
export function groupDocument(definitions: readonly ResourceDefinition[], version: string): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, unknown> = {};
  for (const definition of definitions) {
    const name = schemaName(definition);
    schemas[name] = withType(definition);
    Object.assign(paths, operationPaths(definition, { $ref: `#/components/schemas/${name}` }));
  }
  closeReferences(schemas);
  return {
    openapi: '3.0.0',
    info: { title: 'slipway', version },
    paths,
    components: { schemas },
  };
}
