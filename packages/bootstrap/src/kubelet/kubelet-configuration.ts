import { isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';
import type { InitSettings } from '../config/configuration.ts';
import { formatDuration, parseDuration } from '../config/duration.ts';
import { kubernetesPaths, kubernetesPorts } from '../facts/paths.ts';
import { serviceAddress } from '../network/cidr.ts';
import type { Ground } from '../workflow/ground.ts';

/** Where systemd-resolved keeps the servers that it asks itself; its own stub loops inside pods. */
const resolvedServers = '/run/systemd/resolve/resolv.conf';

/** Durations that are always written: zero lets the kubelet choose. */
const durations = [
  'cpuManagerReconcilePeriod',
  'evictionPressureTransitionPeriod',
  'fileCheckFrequency',
  'httpCheckFrequency',
  'imageMaximumGCAge',
  'imageMinimumGCAge',
  'nodeStatusReportFrequency',
  'nodeStatusUpdateFrequency',
  'runtimeRequestTimeout',
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
  'streamingConnectionIdleTimeout',
  'syncFrequency',
  'volumeStatsAggPeriod',
] as const;

/** What an empty KubeletConfiguration v1beta1 looks like when Kubernetes writes it. */
const empty: JsonObject = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: {}, webhook: { cacheTTL: '0s' }, x509: {} },
  authorization: { webhook: { cacheAuthorizedTTL: '0s', cacheUnauthorizedTTL: '0s' } },
  containerRuntimeEndpoint: '',
  crashLoopBackOff: {},
  logging: {
    flushFrequency: 0,
    options: { json: { infoBufferSize: '0' }, text: { infoBufferSize: '0' } },
    verbosity: 0,
  },
  memorySwap: {},
  ...Object.fromEntries(durations.map((name) => [name, '0s'])),
};

/**
 * The KubeletConfiguration of the cluster, before patches and without the socket of a node: what the user
 * gave, completed with kubeadm's defaults (componentconfigs/kubelet.go). `clusterDNS` comes from the
 * service subnet. As it is stored in the ConfigMap kubelet-config.
 */
export function kubeletConfiguration({ cluster, components }: InitSettings): JsonObject {
  const defaults: JsonObject = {
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${cluster.certificatesDir}/ca.crt` },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'systemd',
    clusterDNS: [serviceAddress(cluster.networking.serviceSubnet, 10)],
    clusterDomain: cluster.networking.dnsDomain,
    healthzBindAddress: '127.0.0.1',
    healthzPort: kubernetesPorts.kubeletHealth,
    staticPodPath: kubernetesPaths.manifests,
  };
  const given = components.kubelet ?? {};
  const merged = over(over(empty, defaults), withoutEmpty(given));
  // Nothing tells "false" from "not given", and a kubelet that does not rotate stops after a year.
  return withCanonicalDurations({ ...merged, rotateCertificates: true });
}

/** The configuration as this machine needs it: the servers that systemd-resolved asks, where it runs. */
export async function hostKubeletConfiguration(
  configuration: JsonObject,
  { systemd }: Pick<Ground, 'systemd'>,
): Promise<JsonObject> {
  if (configuration['resolvConf'] !== undefined || systemd === undefined) return configuration;
  const { activeState } = await systemd.status('systemd-resolved.service');
  return activeState === 'active'
    ? { ...configuration, resolvConf: resolvedServers }
    : configuration;
}

/** `patch` over `base`, object by object. */
export function over(base: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    const below = merged[key];
    merged[key] =
      isJsonObject(value) && isJsonObject(below)
        ? over(below as JsonObject, value as JsonObject)
        : value;
  }
  return merged;
}

/** Empty texts and nulls are what is not given. */
function withoutEmpty(given: JsonObject): JsonObject {
  const kept = Object.entries(given).flatMap(([key, value]): [string, JsonValue][] => {
    if (value === null || value === '') return [];
    return [[key, isJsonObject(value) ? withoutEmpty(value as JsonObject) : value]];
  });
  return Object.fromEntries(kept);
}

function withCanonicalDurations(configuration: JsonObject): JsonObject {
  const canonical = durations.flatMap((name): [string, JsonValue][] => {
    const value = configuration[name];
    const ms = typeof value === 'string' ? parseDuration(value) : undefined;
    return ms === undefined ? [] : [[name, formatDuration(ms)]];
  });
  return { ...configuration, ...Object.fromEntries(canonical) };
}
