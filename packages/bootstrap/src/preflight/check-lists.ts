import type {
  ClusterConfiguration,
  InitSettings,
  JoinConfiguration,
  NodeRegistration,
} from '../config/configuration.ts';
import { kubernetesPaths, kubernetesPorts } from '../facts/paths.ts';
import { componentImage } from '../image/component-image.ts';
import { requiredImages } from '../image/required-images.ts';
import { addressFamily, parseCidr } from '../network/cidr.ts';
import { cgroupDriver } from './check/cgroup-driver.ts';
import { clockSkew } from './check/clock-skew.ts';
import { containerRuntimeVersion } from './check/container-runtime-version.ts';
import { cri } from './check/cri.ts';
import { dirAvailable } from './check/dir-available.ts';
import { etcdCertificate } from './check/etcd-certificate.ts';
import { externalEtcdVersion } from './check/external-etcd-version.ts';
import { fileAvailable } from './check/file-available.ts';
import { kernelSetting } from './check/file-content.ts';
import { firewalld } from './check/firewalld.ts';
import { hostname } from './check/hostname.ts';
import { hostnameCase } from './check/hostname-case.ts';
import { httpProxy } from './check/http-proxy.ts';
import { httpProxyCidr } from './check/http-proxy-cidr.ts';
import { ignoredCheckNames } from './check/ignored-check-names.ts';
import { imagePull } from './check/image-pull.ts';
import { isPrivilegedUser } from './check/is-privileged-user.ts';
import { kubeletFlags } from './check/kubelet-flags.ts';
import { kubeletVersion } from './check/kubelet-version.ts';
import { kubernetesVersionCheck } from './check/kubernetes-version.ts';
import { mem } from './check/mem.ts';
import { type KnownNode, nodeAddress } from './check/node-address.ts';
import { numCpu } from './check/num-cpu.ts';
import { portCheck } from './check/port.ts';
import { programExisting } from './check/program-existing.ts';
import { sandboxImage } from './check/sandbox-image.ts';
import { serviceKubelet } from './check/service-kubelet.ts';
import { serviceSubnet } from './check/service-subnet.ts';
import { swap } from './check/swap.ts';
import { swapConfiguration } from './check/swap-configuration.ts';
import { systemVerification } from './check/system-verification.ts';
import type { Check } from './check.ts';
import { argumentValue } from './node-addresses.ts';

/**
 * Which checks a command makes, in which order. Lists, order and names of kubeadm's checks: kubeadm
 * v1.37.2, app/preflight/checks.go; slipway's own come after them.
 */

/** Before `init` changes anything. `imageChecks` come after these, when none of them is an error. */
export function initChecks(
  settings: InitSettings,
  pauseImage: string = componentImage('pause', settings.cluster),
): readonly Check[] {
  const { init, cluster } = settings;
  const { nodeRegistration, localAPIEndpoint } = init;
  return [
    isPrivilegedUser,
    ...controlPlaneChecks(settings),
    ...nodeChecks(nodeRegistration, cluster.kubernetesVersion),
    ...forwardingChecks(familiesOf(cluster, localAPIEndpoint.advertiseAddress)),
    ...('external' in cluster.etcd ? [externalEtcdVersion(cluster.etcd.external)] : []),
    ...etcdChecks(settings, { downloadsCertificates: false }),
    nodeAddress({
      nodeName: nodeRegistration.name,
      kubeletExtraArgs: nodeRegistration.kubeletExtraArgs,
      advertiseAddress: localAPIEndpoint.advertiseAddress,
    }),
    ...agreementChecks(settings, pauseImage),
    hostnameCase(nodeRegistration.name),
    ignoredCheckNames(nodeRegistration.ignorePreflightErrors),
  ];
}

/** Before a joining node asks for the cluster. `joinedChecks` come when it knows the cluster. */
export function joinChecks(join: JoinConfiguration): readonly Check[] {
  const { nodeRegistration, discovery, controlPlane } = join;
  const endpoint =
    'bootstrapToken' in discovery ? discovery.bootstrapToken.apiServerEndpoint : undefined;
  const { host, port = httpsPort } = hostAndPort(endpoint ?? '');
  const family = addressFamily(host);
  return [
    isPrivilegedUser,
    fileAvailable(kubernetesPaths.kubeletKubeconfig),
    fileAvailable(kubernetesPaths.bootstrapKubeletKubeconfig),
    ...nodeChecks(nodeRegistration, undefined),
    ...(controlPlane === undefined ? [fileAvailable(join.caCertPath)] : []),
    ...(host === '' ? [] : [httpProxy(host, port)]),
    ...forwardingChecks(family === undefined ? [] : [family]),
    ...(endpoint === undefined ? [] : [clockSkew(endpoint)]),
    hostnameCase(nodeRegistration.name),
    ignoredCheckNames(nodeRegistration.ignorePreflightErrors),
  ];
}

export type JoinedQuestion = {
  readonly join: JoinConfiguration;
  /** The cluster's configuration with the node's registration in it. */
  readonly settings: InitSettings;
  /** What the cluster starts pods with; default: that of its configuration. */
  readonly pauseImage?: string;
  /** `host:port` of the API server that is joined. */
  readonly apiServerEndpoint: string;
  /** Nodes of the cluster; undefined when they may not be listed, as with a bootstrap token. */
  readonly knownNodes?: () => Promise<readonly KnownNode[] | undefined>;
};

/** What a joining node can check once it knows the cluster. */
export function joinedChecks(question: JoinedQuestion): readonly Check[] {
  const { join, settings, apiServerEndpoint, knownNodes } = question;
  const { cluster } = settings;
  const { pauseImage = componentImage('pause', cluster) } = question;
  const { nodeRegistration, controlPlane } = join;
  const downloadsCertificates = controlPlane?.certificateKey !== undefined;
  return [
    ...(controlPlane === undefined
      ? []
      : [...controlPlaneChecks(settings), ...etcdChecks(settings, { downloadsCertificates })]),
    kubeletVersion(cluster.kubernetesVersion),
    // With a token the endpoint is known before, and was asked.
    ...('file' in join.discovery ? [clockSkew(apiServerEndpoint)] : []),
    nodeAddress({
      nodeName: nodeRegistration.name,
      kubeletExtraArgs: nodeRegistration.kubeletExtraArgs,
      apiServerHost: hostAndPort(apiServerEndpoint).host,
      ...(controlPlane === undefined
        ? {}
        : { advertiseAddress: controlPlane.localAPIEndpoint.advertiseAddress }),
      ...(knownNodes === undefined ? {} : { knownNodes }),
    }),
    ...agreementChecks(settings, pauseImage),
  ];
}

/** Pulls the images of a control plane; last, and not in a dry run. */
export function imageChecks(
  settings: InitSettings,
  images: readonly string[] = requiredImages(settings.cluster),
): readonly Check[] {
  const { criSocket, imagePullPolicy, imagePullSerial } = settings.init.nodeRegistration;
  return [
    imagePull({
      socket: criSocket,
      images,
      policy: imagePullPolicy,
      isSerial: imagePullSerial,
    }),
  ];
}

export type UpgradeQuestion = {
  readonly criSocket: string;
  /** Version to upgrade to. */
  readonly kubernetesVersion: string;
};

/** Before an upgrade; what the cluster itself has to say, the upgrade asks on its own. */
export function upgradeChecks({ criSocket, kubernetesVersion }: UpgradeQuestion): readonly Check[] {
  return [
    isPrivilegedUser,
    systemVerification({ isUpgrade: true }),
    containerRuntimeVersion(criSocket),
    kubeletFlags({ kubeletExtraArgs: [], version: kubernetesVersion, isUpgrade: true }),
  ];
}

export const resetChecks: readonly Check[] = [isPrivilegedUser];

function controlPlaneChecks({ init, cluster }: InitSettings): readonly Check[] {
  const { bindPort, advertiseAddress } = init.localAPIEndpoint;
  const { apiServer, scheduler, controllerManager, networking } = cluster;
  const manifest = (name: string) => fileAvailable(`${kubernetesPaths.manifests}/${name}.yaml`);
  const bindAddress = ({ extraArgs }: ClusterConfiguration['scheduler']) =>
    argumentValue(extraArgs, 'bind-address');
  return [
    numCpu,
    mem,
    kubernetesVersionCheck(cluster.kubernetesVersion),
    firewalld([bindPort, kubernetesPorts.kubelet]),
    portCheck(bindPort, bindAddress(apiServer)),
    portCheck(kubernetesPorts.scheduler, bindAddress(scheduler)),
    portCheck(kubernetesPorts.controllerManager, bindAddress(controllerManager)),
    manifest('kube-apiserver'),
    manifest('kube-controller-manager'),
    manifest('kube-scheduler'),
    manifest('etcd'),
    httpProxy(advertiseAddress, bindPort),
    ...networking.serviceSubnet.split(',').map(httpProxyCidr),
    ...networking.podSubnet.split(',').map(httpProxyCidr),
  ];
}

/** `version` of the control plane; undefined as long as a joining node does not know it. */
function nodeChecks(
  { criSocket, name }: NodeRegistration,
  version: string | undefined,
): readonly Check[] {
  return [
    cri(criSocket),
    containerRuntimeVersion(criSocket),
    swap,
    programExisting('losetup', 'util-linux'),
    programExisting('mount', 'util-linux'),
    programExisting('cp', 'coreutils'),
    systemVerification({ isUpgrade: false }),
    hostname(name),
    kubeletVersion(version),
    serviceKubelet,
    portCheck(kubernetesPorts.kubelet),
  ];
}

function etcdChecks(
  { init, cluster }: InitSettings,
  { downloadsCertificates }: { readonly downloadsCertificates: boolean },
): readonly Check[] {
  if ('local' in cluster.etcd) {
    // etcd listens where the API server is advertised, not where it is bound.
    const address =
      argumentValue(cluster.apiServer.extraArgs, 'advertise-address') ||
      init.localAPIEndpoint.advertiseAddress;
    return [
      portCheck(kubernetesPorts.etcdClient, address),
      portCheck(kubernetesPorts.etcdPeer, address),
      dirAvailable(cluster.etcd.local.dataDir),
    ];
  }
  if (downloadsCertificates) return [];
  const { external } = cluster.etcd;
  return (['caFile', 'certFile', 'keyFile'] as const)
    .filter((field) => external[field] !== '')
    .map((field) => etcdCertificate(field, external[field]));
}

/** Slipway's own: what has to agree with each other. */
function agreementChecks(settings: InitSettings, pauseImage: string): readonly Check[] {
  const { criSocket: socket, kubeletExtraArgs } = settings.init.nodeRegistration;
  const { kubernetesVersion, networking, certificatesDir } = settings.cluster;
  const { kubelet } = settings.components;
  return [
    cgroupDriver(socket, kubelet),
    sandboxImage({ socket, pauseImage }),
    kubeletFlags({ kubeletExtraArgs, version: kubernetesVersion }),
    serviceSubnet({ serviceSubnet: networking.serviceSubnet, certificatesDir, kubelet }),
    swapConfiguration({ kubelet, kubeletExtraArgs }),
  ];
}

const forwarding = {
  ipv4: '/proc/sys/net/ipv4/ip_forward',
  ipv6: '/proc/sys/net/ipv6/conf/default/forwarding',
} as const;

function forwardingChecks(families: readonly ('ipv4' | 'ipv6')[]): readonly Check[] {
  return (['ipv4', 'ipv6'] as const)
    .filter((family) => families.includes(family))
    .map((family) => kernelSetting(forwarding[family]));
}

function familiesOf(
  { networking }: ClusterConfiguration,
  advertiseAddress: string,
): readonly ('ipv4' | 'ipv6')[] {
  const ranges = `${networking.serviceSubnet},${networking.podSubnet}`.split(',');
  return [
    ...ranges.map((range) => parseCidr(range)?.family),
    addressFamily(advertiseAddress),
  ].filter((family) => family !== undefined);
}

const httpsPort = 443;

/** Of `host:port` or `[address]:port`, whatever name the host has. */
function hostAndPort(endpoint: string): { readonly host: string; readonly port?: number } {
  const [, host = '', digits] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(endpoint) ?? [];
  return digits === undefined ? { host } : { host, port: Number(digits) };
}
