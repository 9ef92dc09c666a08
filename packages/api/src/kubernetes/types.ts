import type {
  Condition,
  KubeObject,
  LabelSelector,
  ObjectMeta,
  ObjectReference,
} from '../object-meta.ts';

/** The parts of the built-in kinds that slipway's own programs read or write. */

export type Taint = {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
};

export type NodeCondition = Omit<Condition, 'observedGeneration'> & {
  readonly lastHeartbeatTime?: string;
};

export type Node = KubeObject & {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly podCIDR?: string;
    readonly providerID?: string;
  };
  readonly status?: {
    readonly conditions?: readonly NodeCondition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly capacity?: Readonly<Record<string, string>>;
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly nodeInfo?: Readonly<Record<string, string>>;
  };
};

export type Pod = KubeObject & {
  readonly spec?: {
    readonly nodeName?: string;
    readonly terminationGracePeriodSeconds?: number;
  } & Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
  } & Readonly<Record<string, unknown>>;
};

export type Namespace = KubeObject & {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string };
};

export type ConfigMap = KubeObject & {
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
};

/** `data` is base64. */
export type SecretObject = KubeObject & {
  readonly type?: string;
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
};

export type KubeEvent = KubeObject & {
  readonly metadata: ObjectMeta;
  readonly involvedObject: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly type?: 'Normal' | 'Warning';
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly count?: number;
  readonly action?: string;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
};

export type Lease = KubeObject & {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** RFC 3339 with microseconds. */
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
};

export type DaemonSet = KubeObject & { readonly spec?: unknown; readonly status?: unknown };

export type PodDisruptionBudget = KubeObject & {
  readonly spec?: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
    readonly observedGeneration?: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
};

export type CertificateSigningRequest = KubeObject & {
  readonly spec: {
    /** Base64 of the PEM request. */
    readonly request: string;
    readonly signerName: string;
    readonly expirationSeconds?: number;
    readonly usages?: readonly string[];
    readonly username?: string;
    readonly groups?: readonly string[];
    readonly uid?: string;
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: {
    readonly conditions?: readonly (Condition & { readonly lastUpdateTime?: string })[];
    /** Base64 of the PEM chain. */
    readonly certificate?: string;
  };
};

export type PolicyRule = {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

export type ClusterRole = KubeObject & {
  readonly rules?: readonly PolicyRule[];
  readonly aggregationRule?: unknown;
};

export type ClusterRoleBinding = KubeObject & {
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly apiGroup?: string;
    readonly namespace?: string;
  }[];
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
};

/** An OpenAPI v3 structural schema. */
export type JsonSchema = { readonly [key: string]: unknown };

export type CustomResourceDefinition = KubeObject & {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Cluster' | 'Namespaced';
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly singular?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly CustomResourceDefinitionVersion[];
    readonly preserveUnknownFields?: boolean;
    readonly conversion?: unknown;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly acceptedNames?: Readonly<Record<string, unknown>>;
    readonly storedVersions?: readonly string[];
  };
};

export type CustomResourceDefinitionVersion = {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>;
    readonly scale?: unknown;
  };
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly type: string;
    readonly jsonPath: string;
    readonly format?: string;
    readonly description?: string;
    readonly priority?: number;
  }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

export type ValidatingWebhookConfiguration = KubeObject & {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly admissionReviewVersions: readonly string[];
    readonly clientConfig: {
      readonly url?: string;
      /** Base64 PEM. */
      readonly caBundle?: string;
      readonly service?: {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string;
        readonly port?: number;
      };
    };
    readonly rules?: readonly {
      readonly operations: readonly string[];
      readonly apiGroups: readonly string[];
      readonly apiVersions: readonly string[];
      readonly resources: readonly string[];
      readonly scope?: string;
    }[];
    readonly failurePolicy?: 'Fail' | 'Ignore';
    readonly matchPolicy?: 'Exact' | 'Equivalent';
    readonly sideEffects: string;
    readonly timeoutSeconds?: number;
    readonly namespaceSelector?: LabelSelector;
    readonly objectSelector?: LabelSelector;
    readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  }[];
};
