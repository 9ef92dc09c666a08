import { propertySchema, type SchemaNode } from './schema-node.ts';

const apiVersion = {
  description:
    'APIVersion defines the versioned schema of this representation of an object: group/version.',
  type: 'string',
};
const kind = {
  description: 'Kind is a string value representing the REST resource this object represents.',
  type: 'string',
};
const metadata = {
  description: "Standard object's metadata.",
  allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
};

/** The schema as OpenAPI v3 documents show it: with the type and metadata members spelled out. */
export function publishedSchema(schema: SchemaNode): Readonly<Record<string, unknown>> {
  const keepUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (keepUnknown && schema.properties === undefined) {
    return { ...schema, properties: { apiVersion, kind, metadata } };
  }
  const { description, ...rest } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...rest,
    type: 'object',
    properties: {
      ...schema.properties,
      apiVersion: propertySchema(schema, 'apiVersion') ?? apiVersion,
      kind: propertySchema(schema, 'kind') ?? kind,
      metadata,
    },
  };
}
