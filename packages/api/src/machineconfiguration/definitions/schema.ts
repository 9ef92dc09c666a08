import type { CustomResourceDefinition, JsonSchema } from '../../kubernetes/types.ts';
import { machineConfigurationGroup, machineConfigurationVersion } from '../group.ts';

/** Makers of structural schemas: short, so that a definition reads like the object that it describes. */

type Extra = Readonly<Record<string, unknown>>;

export function text(description: string, extra: Extra = {}): JsonSchema {
  return { type: 'string', description, ...extra };
}

export function integer(description: string, extra: Extra = {}): JsonSchema {
  return { type: 'integer', description, ...extra };
}

export function object(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  extra: Extra = {},
): JsonSchema {
  return { type: 'object', description, properties, ...extra };
}

/** A list that one writer replaces as a whole. */
export function atomicList(description: string, items: JsonSchema, extra: Extra = {}): JsonSchema {
  return { type: 'array', description, items, 'x-kubernetes-list-type': 'atomic', ...extra };
}

/** A list whose entries are told apart by `key`. */
export function keyedList(
  description: string,
  key: string,
  items: JsonSchema,
  extra: Extra = {},
): JsonSchema {
  return {
    type: 'array',
    description,
    items,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
    ...extra,
  };
}

/** One rule in the Common Expression Language. */
export type Rule = { readonly rule: string; readonly message: string };

export function rules(...list: readonly Rule[]): Extra {
  return { 'x-kubernetes-validations': list };
}

export type Column = {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
};

export const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
};

type DefinitionOptions = {
  readonly kind: string;
  readonly shortName?: string;
  readonly description: string;
  readonly spec: JsonSchema;
  readonly status?: JsonSchema;
  /** True when an object without `spec` is refused. */
  readonly specRequired?: boolean;
  readonly rules?: readonly Rule[];
  readonly columns?: readonly Column[];
};

function rootSchema(options: DefinitionOptions): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    apiVersion: text('Group and version of the schema that this object is written in.'),
    kind: text('Name of the type of this object.'),
    metadata: { type: 'object' },
    spec: options.spec,
    ...(options.status === undefined ? {} : { status: options.status }),
  };
  return object(options.description, properties, {
    ...(options.specRequired === true ? { required: ['spec'] } : {}),
    ...(options.rules === undefined ? {} : rules(...options.rules)),
  });
}

/** A cluster-scoped CustomResourceDefinition of our group, with a status subresource where it has a status. */
export function definition(options: DefinitionOptions): CustomResourceDefinition {
  const { kind, shortName, columns } = options;
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${machineConfigurationGroup}` },
    spec: {
      group: machineConfigurationGroup,
      scope: 'Cluster',
      names: {
        kind,
        listKind: `${kind}List`,
        plural: `${singular}s`,
        singular,
        ...(shortName === undefined ? {} : { shortNames: [shortName] }),
      },
      versions: [
        {
          name: machineConfigurationVersion,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: rootSchema(options) },
          ...(options.status === undefined ? {} : { subresources: { status: {} } }),
          ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
        },
      ],
    },
  };
}
