import type { KubeObject, Status } from '@slipway/api';

/**
 * The seams inside the API server: what its folders promise each other. http → auth → request →
 * verbs → registry → storage on one side; schema, cel, admission, controllers on the other.
 */

/** Who asks. Groups include `system:authenticated` or `system:unauthenticated`. */
export type User = {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** What a connection or request shows about who asks. */
export type Credentials = {
  /** Subject of a client certificate that the TLS layer verified against the client CA. */
  readonly certificate?: { readonly commonName: string; readonly organizations: readonly string[] };
  readonly bearerToken?: string;
};

/** Turns credentials into a user; undefined: credentials were given and are wrong (401). None given: anonymous. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<User | undefined>;
}

/** What is asked, in the words of SubjectAccessReview. */
export type RequestAttributes = {
  readonly user: User;
  /** get, list, watch, create, update, patch, delete, deletecollection; for paths the HTTP verb in lower case. */
  readonly verb: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Set instead of the resource for `/healthz`, `/version`, … */
  readonly path?: string;
  readonly fieldSelector?: string;
};

export type Decision = { readonly allowed: boolean; readonly reason: string };

export interface Authorizer {
  authorize(attributes: RequestAttributes): Decision;
  /** What a SelfSubjectRulesReview answers; absent: the answer is marked incomplete. */
  rulesFor?(user: User, namespace: string): UserRules;
}

/** Everything that a user may do in one namespace. */
export type UserRules = {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
};

/** A served object: its JSON, always with metadata. */
export type StoredObject = KubeObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: NonNullable<KubeObject['metadata']>;
} & Readonly<Record<string, unknown>>;

export type AdmissionRequest = {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly definition: ResourceDefinition;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
  /** Absent for DELETE. */
  readonly object?: StoredObject;
  /** Absent for CREATE. */
  readonly oldObject?: StoredObject;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly user: User;
  readonly dryRun: boolean;
};

/** Runs in order after defaulting and before storage. Refusal is a thrown StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Changes the object; the result replaces it. */
  mutate?(request: AdmissionRequest): Promise<StoredObject | undefined>;
  /** Judges; what it returns goes out as `Warning:` headers. */
  validate?(request: AdmissionRequest): Promise<readonly string[]>;
}

export type PrinterColumn = {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  /** Cell value of one object. */
  readonly value: (object: StoredObject) => string | number | boolean | null;
};

/** A cause of an Invalid (422) answer, or of a strict-decoding failure. */
export type FieldError = {
  /** `FieldValueRequired`, `FieldValueInvalid`, `FieldValueNotSupported`, `FieldValueDuplicate`, `FieldValueForbidden`, `FieldValueTooLong`, `FieldValueTypeInvalid`, `FieldValueTooMany`. */
  readonly reason: string;
  /** `spec.files[0].mode`. */
  readonly field: string;
  /** In upstream's words: `Invalid value: "x": …`. */
  readonly message: string;
};

/** How incoming JSON of a kind is decoded and judged; built from type tables or from a CRD's schema. */
export interface ObjectSchema {
  /** Drops (and reports, as field paths) what the schema does not know: `unknown field "spec.foo"`. */
  prune(object: unknown): {
    readonly object: StoredObject;
    readonly unknownFields: readonly string[];
  };
  applyDefaults(object: StoredObject): StoredObject;
  /** `old` is present on update (transition rules, ratcheting). */
  validate(object: StoredObject, old?: StoredObject): readonly FieldError[];
  /** Merge keys and strategies for strategic merge patch; undefined: the kind does not support it (CRDs). */
  readonly strategicMerge: boolean;
  /** Name of the type in the generated tables; set for built-in kinds, which protobuf bodies may carry. */
  readonly typeName?: string;
  /** OpenAPI v3 schema of the kind, for /openapi/v3 and explain. */
  readonly openApi: Readonly<Record<string, unknown>>;
}

/** One served kind at one version. */
export type ResourceDefinition = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  readonly schema: ObjectSchema;
  readonly columns: readonly PrinterColumn[];
  /** Field selectors beyond metadata.name and metadata.namespace, with how to read them. */
  readonly selectableFields: Readonly<Record<string, (object: StoredObject) => string>>;
  /** True for kinds that came from a CustomResourceDefinition. */
  readonly custom: boolean;
  /** True when `metadata.generation` counts changes of everything but metadata and status. */
  readonly hasGeneration: boolean;
  /** What upstream's strategy does on writes: initial status, immutable fields, kind-specific validation. */
  readonly strategy?: Strategy;
  /** Sent as a `Warning:` header on create and update. */
  readonly warning?: string;
  /** PUT and PATCH without resourceVersion are allowed; default true for built-in kinds, false for custom ones. */
  readonly unconditionalUpdate?: boolean;
  /** How names are judged; default `subdomain` (DNS-1123 subdomain). `path`: any path segment (RBAC). */
  readonly nameRule?: 'subdomain' | 'label' | 'path';
  /** PUT on a missing object creates it; default false. */
  readonly createOnUpdate?: boolean;
};

export type Strategy = {
  prepareForCreate?(
    object: StoredObject,
    context: { readonly user: User; readonly now: string },
  ): StoredObject;
  prepareForUpdate?(object: StoredObject, old: StoredObject, subresource?: string): StoredObject;
  validate?(object: StoredObject, old?: StoredObject): readonly FieldError[];
};

/** The set of served kinds. CRDs come and go while the server runs. */
export interface ResourceCatalogue {
  find(group: string, version: string, plural: string): ResourceDefinition | undefined;
  findKind(group: string, version: string, kind: string): ResourceDefinition | undefined;
  all(): readonly ResourceDefinition[];
  add(definition: ResourceDefinition): void;
  remove(group: string, version: string, plural: string): void;
}

export type ChangeEvent = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: StoredObject;
  readonly previous?: StoredObject;
};

/**
 * In-process access for the server's own controllers, admission and authorizers: the same validation,
 * defaulting and durability as over HTTP, without authentication. Writes resolve after they are durable.
 */
export interface LocalAccess {
  get(
    definition: ResourceDefinition,
    namespace: string | undefined,
    name: string,
  ): StoredObject | undefined;
  list(definition: ResourceDefinition, namespace?: string): readonly StoredObject[];
  create(definition: ResourceDefinition, object: StoredObject): Promise<StoredObject>;
  /** Reads, changes, writes; tried again on conflict. Returning undefined from `change` writes nothing. */
  update(
    definition: ResourceDefinition,
    namespace: string | undefined,
    name: string,
    change: (object: StoredObject) => StoredObject | undefined,
    options?: { readonly subresource?: string },
  ): Promise<StoredObject | undefined>;
  delete(
    definition: ResourceDefinition,
    namespace: string | undefined,
    name: string,
    options?: { readonly uid?: string; readonly propagationPolicy?: string },
  ): Promise<void>;
  /** Every durable change of every kind, in revision order, after registration. */
  onChange(handler: (definition: ResourceDefinition, event: ChangeEvent) => void): Disposable;
}

/** An answer that is not a success: thrown anywhere below http, written there as a Status. */
export class StatusError extends Error {
  readonly status: Status & { readonly code: number };

  constructor(status: Status & { readonly code: number }) {
    super(status.message ?? status.reason ?? `status ${status.code}`);
    this.name = 'StatusError';
    this.status = status;
  }
}
