/** One node of a CRD's `openAPIV3Schema`, as it is written in the CustomResourceDefinition. */
export type SchemaNode = {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
};

/** One entry of `x-kubernetes-validations`. */
export type ValidationRule = {
  /** Required; a CRD without it is refused. */
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

/** The schema of a map's values, when it has one of its own. */
export function mapValueSchema(schema: SchemaNode): SchemaNode | undefined {
  const additional = schema.additionalProperties;
  return typeof additional === 'object' ? additional : undefined;
}

/** Path of a member in Kubernetes spelling: `spec.files`. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The schema of one property; own properties only, so that a field called `constructor` has none. */
export function propertySchema(schema: SchemaNode, name: string): SchemaNode | undefined {
  const properties = schema.properties;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
