import { isJsonObject } from '@slipway/base';
import type {
  ApiEndpoint,
  Argument,
  BootstrapTokenEntry,
  ClusterConfiguration,
  ComponentSettings,
  EncryptionAlgorithm,
  EnvironmentVariable,
  Etcd,
  HostPathMount,
  LocalEtcd,
  Taint,
  Timeouts,
} from './configuration.ts';
import type { Given, GivenCluster } from './given.ts';

/** Static defaults of kubeadm.k8s.io/v1beta4 (apis/kubeadm/v1beta4/defaults.go). */

export const defaultTimeouts: Timeouts = {
  controlPlaneComponentHealthCheck: '4m0s',
  kubeletHealthCheck: '4m0s',
  kubernetesAPICall: '1m0s',
  etcdAPICall: '2m0s',
  tlsBootstrap: '5m0s',
  discovery: '5m0s',
  upgradeManifests: '5m0s',
};

export const defaultCriSocket = 'unix:///var/run/containerd/containerd.sock';
export const defaultCertificatesDirectory = '/etc/kubernetes/pki';
export const defaultTokenGroups = ['system:bootstrappers:kubeadm:default-node-token'] as const;
export const defaultTokenUsages = ['signing', 'authentication'] as const;
export const controlPlaneTaint: Taint = {
  key: 'node-role.kubernetes.io/control-plane',
  effect: 'NoSchedule',
};

export function timeoutsOf(given: Given<Timeouts> | undefined): Timeouts {
  return withDefaults(defaultTimeouts, given);
}

/** `given` over `defaults`; an empty string counts as absent, as in Kubernetes. */
export function withDefaults<T extends object>(defaults: T, given: Given<T> | undefined): T {
  const members = Object.entries(given ?? {}).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  return { ...defaults, ...Object.fromEntries(members) } as T;
}

export function argumentsOf(given: readonly Given<Argument>[] | undefined): readonly Argument[] {
  return (given ?? []).map(({ name = '', value = '', mergeMethod }) => ({
    name,
    value,
    ...(mergeMethod === undefined ? {} : { mergeMethod }),
  }));
}

function volumesOf(given: readonly Given<HostPathMount>[] | undefined): readonly HostPathMount[] {
  return (given ?? []).map((volume) => ({
    ...volume,
    name: volume.name ?? '',
    hostPath: volume.hostPath ?? '',
    mountPath: volume.mountPath ?? '',
  })) as readonly HostPathMount[];
}

function environmentOf(
  given: readonly Given<EnvironmentVariable>[] | undefined,
): readonly EnvironmentVariable[] {
  return ((given ?? []) as readonly EnvironmentVariable[]).map(withFieldVersion);
}

/** core/v1: the version of the fields that `fieldRef` names is v1 unless it says otherwise. */
function withFieldVersion(variable: EnvironmentVariable): EnvironmentVariable {
  const source = variable['valueFrom'];
  const field = isJsonObject(source) ? source['fieldRef'] : undefined;
  if (!(isJsonObject(source) && isJsonObject(field))) return variable;
  return { ...variable, valueFrom: { ...source, fieldRef: { apiVersion: 'v1', ...field } } };
}

export function endpointOf(given: Given<ApiEndpoint> | undefined): ApiEndpoint {
  const { advertiseAddress = '', bindPort = 0 } = given ?? {};
  return { advertiseAddress, bindPort: bindPort === 0 ? 6443 : bindPort };
}

/** A token without its value stays empty: the value is made at run time. */
export function tokensOf(
  given: readonly Given<BootstrapTokenEntry>[] | undefined,
): readonly BootstrapTokenEntry[] {
  const entries = given === undefined || given.length === 0 ? [{}] : given;
  return entries.map((entry: Given<BootstrapTokenEntry>) => {
    const { token = '', description, expires, ttl, usages = [], groups } = entry;
    const settledUsages = usages.length === 0 ? defaultTokenUsages : usages;
    const settledGroups = groups === undefined || groups.length === 0 ? defaultTokenGroups : groups;
    return {
      token,
      ...(description === undefined || description === '' ? {} : { description }),
      ...(ttl === undefined && expires === undefined ? { ttl: '24h0m0s' } : {}),
      ...(ttl === undefined ? {} : { ttl }),
      ...(expires === undefined ? {} : { expires }),
      usages: settledUsages,
      groups: settledGroups,
    };
  });
}

function componentOf(given: Given<ComponentSettings> | undefined): ComponentSettings {
  return {
    extraArgs: argumentsOf(given?.extraArgs),
    extraVolumes: volumesOf(given?.extraVolumes),
    extraEnvs: environmentOf(given?.extraEnvs),
  };
}

function localEtcdOf(given: Given<LocalEtcd>): LocalEtcd {
  const { dataDir = '', serverCertSANs = [], peerCertSANs = [] } = given;
  return {
    ...imageOf(given),
    dataDir: dataDir === '' ? '/var/lib/etcd' : dataDir,
    extraArgs: argumentsOf(given.extraArgs),
    extraEnvs: environmentOf(given.extraEnvs),
    serverCertSANs,
    peerCertSANs,
  };
}

function etcdOf(given: GivenCluster['etcd']): Etcd {
  if (given?.external === undefined) return { local: localEtcdOf(given?.local ?? {}) };
  const {
    endpoints = [],
    httpEndpoints = endpoints,
    caFile = '',
    certFile = '',
    keyFile = '',
  } = given.external;
  return { external: { endpoints, httpEndpoints, caFile, certFile, keyFile } };
}

function imageOf(given: { imageRepository?: string | undefined; imageTag?: string | undefined }) {
  const { imageRepository, imageTag } = given;
  return {
    ...(imageRepository === undefined || imageRepository === '' ? {} : { imageRepository }),
    ...(imageTag === undefined || imageTag === '' ? {} : { imageTag }),
  };
}

/**
 * ClusterConfiguration with its static defaults. The version stays as given (a label, or empty); the
 * endpoint stays without a port when it has none.
 */
export function defaultCluster(given: GivenCluster): ClusterConfiguration {
  const { networking = {}, dns = {} } = given;
  return {
    etcd: etcdOf(given.etcd),
    networking: {
      serviceSubnet: orElse(networking.serviceSubnet, '10.96.0.0/12'),
      podSubnet: networking.podSubnet ?? '',
      dnsDomain: orElse(networking.dnsDomain, 'cluster.local'),
    },
    kubernetesVersion: given.kubernetesVersion ?? '',
    controlPlaneEndpoint: given.controlPlaneEndpoint ?? '',
    apiServer: {
      ...componentOf(given.apiServer),
      certSANs: (given.apiServer?.certSANs ?? []).map((name) => name.toLowerCase()),
    },
    controllerManager: componentOf(given.controllerManager),
    scheduler: componentOf(given.scheduler),
    dns: { ...imageOf(dns), disabled: dns.disabled ?? false },
    proxy: { disabled: given.proxy?.disabled ?? false },
    certificatesDir: orElse(given.certificatesDir, defaultCertificatesDirectory),
    imageRepository: orElse(given.imageRepository, 'registry.k8s.io'),
    featureGates: (given.featureGates ?? {}) as Readonly<Record<string, boolean>>,
    clusterName: orElse(given.clusterName, 'kubernetes'),
    // Another value is refused by validation before anybody reads it.
    encryptionAlgorithm: orElse(given.encryptionAlgorithm, 'RSA-2048') as EncryptionAlgorithm,
    certificateValidityPeriod: given.certificateValidityPeriod ?? '8760h0m0s',
    caCertificateValidityPeriod: given.caCertificateValidityPeriod ?? '87600h0m0s',
  };
}

export function orElse(given: string | undefined, fallback: string): string {
  return given === undefined || given === '' ? fallback : given;
}
