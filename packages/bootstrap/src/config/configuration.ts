import type { JsonObject } from '@slipway/base';

/**
 * The configuration in the form the whole room works on: the fields of kubeadm.k8s.io/v1beta4, every
 * default filled in, every dynamic value resolved. Loading, conversion and validation end here;
 * phases and libraries begin here. Durations are Go durations (`4m0s`); see `duration.ts`.
 */

/** One command-line flag of a component. `mergeMethod` exists in kubeadm.k8s.io/v1 only; default there: replace. */
export type Argument = {
  readonly name: string;
  readonly value: string;
  readonly mergeMethod?: 'append' | 'prepend';
};

/** core/v1 EnvVar as given. */
export type EnvironmentVariable = JsonObject & { readonly name: string };

export type HostPathMount = {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly pathType?: string;
};

export type Taint = { readonly key: string; readonly value?: string; readonly effect: string };

export type ImagePullPolicy = 'Always' | 'IfNotPresent' | 'Never';

export type NodeRegistration = {
  readonly name: string;
  readonly criSocket: string;
  /** What the node gets; absent in the file means the control-plane taint for control planes, none for workers. */
  readonly taints: readonly Taint[];
  readonly kubeletExtraArgs: readonly Argument[];
  readonly ignorePreflightErrors: readonly string[];
  readonly imagePullPolicy: ImagePullPolicy;
  readonly imagePullSerial: boolean;
};

export type ApiEndpoint = { readonly advertiseAddress: string; readonly bindPort: number };

export type BootstrapTokenEntry = {
  /** `abcdef.0123456789abcdef`. */
  readonly token: string;
  readonly description?: string;
  /** Go duration; `0s` never expires. Absent when `expires` is given. */
  readonly ttl?: string;
  /** RFC 3339. */
  readonly expires?: string;
  readonly usages: readonly string[];
  readonly groups: readonly string[];
};

export type Timeouts = {
  readonly controlPlaneComponentHealthCheck: string;
  readonly kubeletHealthCheck: string;
  readonly kubernetesAPICall: string;
  readonly etcdAPICall: string;
  readonly tlsBootstrap: string;
  readonly discovery: string;
  readonly upgradeManifests: string;
};

export type Patches = { readonly directory: string };

export type ComponentSettings = {
  readonly extraArgs: readonly Argument[];
  readonly extraVolumes: readonly HostPathMount[];
  readonly extraEnvs: readonly EnvironmentVariable[];
};

export type LocalEtcd = {
  readonly imageRepository?: string;
  readonly imageTag?: string;
  readonly dataDir: string;
  readonly extraArgs: readonly Argument[];
  readonly extraEnvs: readonly EnvironmentVariable[];
  readonly serverCertSANs: readonly string[];
  readonly peerCertSANs: readonly string[];
};

export type ExternalEtcd = {
  readonly endpoints: readonly string[];
  /** kubeadm.k8s.io/v1 only. */
  readonly httpEndpoints?: readonly string[];
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
};

export type Etcd = { readonly local: LocalEtcd } | { readonly external: ExternalEtcd };

export type EncryptionAlgorithm =
  | 'RSA-2048'
  | 'RSA-3072'
  | 'RSA-4096'
  | 'ECDSA-P256'
  | 'ECDSA-P384';

export type ClusterConfiguration = {
  readonly etcd: Etcd;
  readonly networking: {
    /** One CIDR, or two of different families joined by a comma. */
    readonly serviceSubnet: string;
    /** Empty: no allocation of pod ranges. */
    readonly podSubnet: string;
    readonly dnsDomain: string;
  };
  /** `v1.37.2`, never a label. */
  readonly kubernetesVersion: string;
  /** `host[:port]`, empty when there is none. */
  readonly controlPlaneEndpoint: string;
  readonly apiServer: ComponentSettings & { readonly certSANs: readonly string[] };
  readonly controllerManager: ComponentSettings;
  readonly scheduler: ComponentSettings;
  readonly dns: {
    readonly imageRepository?: string;
    readonly imageTag?: string;
    readonly disabled: boolean;
  };
  readonly proxy: { readonly disabled: boolean };
  readonly certificatesDir: string;
  readonly imageRepository: string;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly clusterName: string;
  readonly encryptionAlgorithm: EncryptionAlgorithm;
  readonly certificateValidityPeriod: string;
  readonly caCertificateValidityPeriod: string;
};

/** Documents of other groups in the same file: kept as given, undefined when absent. */
export type ComponentConfigurations = {
  /** kubelet.config.k8s.io/v1beta1 KubeletConfiguration. */
  readonly kubelet?: JsonObject;
  /** kubeproxy.config.k8s.io/v1alpha1 KubeProxyConfiguration. */
  readonly kubeProxy?: JsonObject;
};

export type InitConfiguration = {
  readonly bootstrapTokens: readonly BootstrapTokenEntry[];
  readonly dryRun: boolean;
  readonly nodeRegistration: NodeRegistration;
  readonly localAPIEndpoint: ApiEndpoint;
  /** 64 hex digits; absent: made when certificates are uploaded. */
  readonly certificateKey?: string;
  readonly skipPhases: readonly string[];
  readonly patches?: Patches;
  readonly timeouts: Timeouts;
};

/** All that `init` works on. */
export type InitSettings = {
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
  readonly components: ComponentConfigurations;
};

export type TokenDiscovery = {
  readonly token: string;
  /** `host:port`. */
  readonly apiServerEndpoint: string;
  readonly caCertHashes: readonly string[];
  readonly unsafeSkipCAVerification: boolean;
};

export type Discovery = (
  | { readonly bootstrapToken: TokenDiscovery }
  | {
      readonly file: {
        /** Path, or https address. */
        readonly kubeConfigPath: string;
      };
    }
) & { readonly tlsBootstrapToken: string };

export type JoinConfiguration = {
  readonly dryRun: boolean;
  readonly nodeRegistration: NodeRegistration;
  readonly caCertPath: string;
  readonly discovery: Discovery;
  /** Present: the node becomes a control plane. */
  readonly controlPlane?: {
    readonly localAPIEndpoint: ApiEndpoint;
    readonly certificateKey?: string;
  };
  readonly skipPhases: readonly string[];
  readonly patches?: Patches;
  readonly timeouts: Timeouts;
};

export type ResetConfiguration = {
  readonly cleanupTmpDir: boolean;
  readonly certificatesDir: string;
  readonly criSocket: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
  readonly unmountFlags: readonly string[];
  readonly timeouts: Timeouts;
};

type UpgradeCommon = {
  readonly dryRun: boolean;
  readonly etcdUpgrade: boolean;
  readonly ignorePreflightErrors: readonly string[];
};

type UpgradeWriting = UpgradeCommon & {
  readonly certificateRenewal: boolean;
  readonly patches?: Patches;
  readonly skipPhases: readonly string[];
  readonly imagePullPolicy: ImagePullPolicy;
  readonly imagePullSerial: boolean;
};

type UpgradeTarget = {
  /** Absent: the newest that slipway knows. */
  readonly kubernetesVersion?: string;
  readonly allowExperimentalUpgrades: boolean;
  readonly allowRCUpgrades: boolean;
  readonly printConfig: boolean;
};

export type UpgradeConfiguration = {
  readonly apply: UpgradeWriting & UpgradeTarget & { readonly forceUpgrade: boolean };
  readonly node: UpgradeWriting;
  readonly plan: UpgradeCommon & UpgradeTarget;
  readonly diff: { readonly kubernetesVersion?: string; readonly contextLines: number };
  readonly timeouts: Timeouts;
};
