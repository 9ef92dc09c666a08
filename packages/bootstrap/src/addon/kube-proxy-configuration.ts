import { isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';

/** Where the DaemonSet mounts the kubeconfig of kube-proxy. */
const kubeconfigPath = '/var/lib/kube-proxy/kubeconfig.conf';

/** From this minor on the mode is always named: kube-proxy warns where it is not. */
const namedModeSince = 37;

/**
 * Every member of kubeproxy.config.k8s.io/v1alpha1 at its zero value: that is how the stored form
 * spells what nobody set. The same in all supported minors.
 */
const unset: JsonObject = {
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  bindAddress: '',
  bindAddressHardFail: false,
  clientConnection: { acceptContentTypes: '', burst: 0, contentType: '', kubeconfig: '', qps: 0 },
  clusterCIDR: '',
  configSyncPeriod: '0s',
  conntrack: {
    maxPerCore: null,
    min: null,
    tcpBeLiberal: false,
    tcpCloseWaitTimeout: null,
    tcpEstablishedTimeout: null,
    udpStreamTimeout: '0s',
    udpTimeout: '0s',
  },
  detectLocal: { bridgeInterface: '', interfaceNamePrefix: '' },
  detectLocalMode: '',
  enableProfiling: false,
  healthzBindAddress: '',
  hostnameOverride: '',
  iptables: {
    localhostNodePorts: null,
    masqueradeAll: false,
    masqueradeBit: null,
    minSyncPeriod: '0s',
    syncPeriod: '0s',
  },
  ipvs: {
    excludeCIDRs: null,
    minSyncPeriod: '0s',
    scheduler: '',
    strictARP: false,
    syncPeriod: '0s',
    tcpFinTimeout: '0s',
    tcpTimeout: '0s',
    udpTimeout: '0s',
  },
  kind: 'KubeProxyConfiguration',
  logging: {
    flushFrequency: 0,
    options: { json: { infoBufferSize: '0' }, text: { infoBufferSize: '0' } },
    verbosity: 0,
  },
  metricsBindAddress: '',
  mode: '',
  nftables: { masqueradeAll: false, masqueradeBit: null, minSyncPeriod: '0s', syncPeriod: '0s' },
  nodePortAddresses: null,
  oomScoreAdj: null,
  portRange: '',
  showHiddenMetricsForVersion: '',
  winkernel: {
    enableDSR: false,
    forwardHealthCheckVip: false,
    networkName: '',
    rootHnsEndpointName: '',
    sourceVip: '',
  },
};

function laidOver(below: JsonObject, above: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...below };
  for (const [member, value] of Object.entries(above)) {
    const lower = below[member];
    merged[member] = isObject(lower) && isObject(value) ? laidOver(lower, value) : value;
  }
  return merged;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value);
}

export type KubeProxySurroundings = {
  /** The 37 of v1.37.2. */
  readonly minor: number;
  /** Decides between the IPv4 and the IPv6 wildcard. */
  readonly advertiseAddress: string;
  /** `networking.podSubnet`; empty when there is none. */
  readonly podSubnet: string;
};

/** The complete configuration: what the user gave, and where he gave nothing what fits the cluster. */
export function kubeProxyConfiguration(
  given: JsonObject | undefined,
  { minor, advertiseAddress, podSubnet }: KubeProxySurroundings,
): JsonObject {
  const configuration = laidOver(unset, given ?? {});
  const connection = isObject(configuration['clientConnection'])
    ? configuration['clientConnection']
    : {};
  const wildcard = advertiseAddress.includes(':') ? '::' : '0.0.0.0';
  return {
    ...configuration,
    bindAddress: configuration['bindAddress'] || wildcard,
    clientConnection: {
      ...connection,
      kubeconfig: connection['kubeconfig'] || kubeconfigPath,
    },
    clusterCIDR: configuration['clusterCIDR'] || podSubnet,
    mode: configuration['mode'] || (minor >= namedModeSince ? 'iptables' : ''),
  };
}
