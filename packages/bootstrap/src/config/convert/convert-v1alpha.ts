import { isJsonObject, type JsonObject, type JsonValue } from '@slipway/base';
import type { Path } from '../document/source-node.ts';
import type { Finding } from '../finding.ts';
import { convertOldEtcd } from './convert-old-etcd.ts';
import {
  argumentsOfMap,
  type Conversion,
  type Converted,
  objectMember,
  present,
} from './converted.ts';
import { oldPath } from './old-path.ts';

/**
 * MasterConfiguration and NodeConfiguration (v1alpha1, v1alpha2) as v1beta4, in one step. What has no
 * equivalent any more is dropped with a warning.
 */
export function convertV1alpha(kind: string, object: JsonObject): Conversion {
  const dropped = droppedFields(object);
  const documents = kind === 'MasterConfiguration' ? convertMaster(object) : [convertNode(object)];
  return { documents, findings: dropped };
}

const gone: Readonly<Record<string, string>> = {
  unifiedControlPlaneImage: 'one image for the whole control plane is not supported any more',
  ciImageRepository: 'builds of continuous integration are not supported',
  auditPolicy: 'use apiServer.extraArgs audit-policy-file with apiServer.extraVolumes',
  privilegedPods: 'the control plane needs no privileged pods any more',
  cloudProvider: 'run the cloud provider as external cloud controller manager',
  discoveryTimeout: 'use timeouts.discovery',
};

function droppedFields(object: JsonObject): readonly Finding[] {
  const fields = Object.keys(object).filter((key) => Object.hasOwn(gone, key));
  const gates = Object.keys(objectMember(object, 'featureGates'));
  return [
    ...fields.map((key) => drop([key], `${key} has no equivalent`, gone[key])),
    ...gates.map((gate) => drop(['featureGates', gate], `the feature gate ${gate} is gone`)),
  ];
}

function drop(path: Path, message: string, hint = 'remove it'): Finding {
  return { code: 'bootstrap.config.field-dropped', severity: 'warning', path, message, hint };
}

function convertMaster(object: JsonObject): readonly Converted[] {
  const components = componentDocuments(object);
  return [
    { kind: 'InitConfiguration', object: initOf(object), sourcePath: oldPath(object) },
    { kind: 'ClusterConfiguration', object: clusterOf(object), sourcePath: oldPath(object) },
    ...components,
  ];
}

function initOf(object: JsonObject): JsonObject {
  const { advertiseAddress, bindPort } = objectMember(object, 'api');
  const endpoint = present({ advertiseAddress, bindPort });
  return present({
    localAPIEndpoint: Object.keys(endpoint).length === 0 ? undefined : endpoint,
    nodeRegistration: registrationOf(object),
    bootstrapTokens: object['bootstrapTokens'] ?? tokenOf(object),
  });
}

function tokenOf(object: JsonObject): JsonValue | undefined {
  const { token, tokenTTL: ttl, tokenUsages: usages, tokenGroups: groups } = object;
  const entry = present({ token, ttl, usages, groups });
  return Object.keys(entry).length === 0 ? undefined : [entry];
}

/** `nodeName`, `criSocket` and `noTaintMaster` of v1alpha1; v1alpha2 had nodeRegistration already. */
function registrationOf(object: JsonObject): JsonObject | undefined {
  const { kubeletExtraArgs, ...given } = objectMember(object, 'nodeRegistration');
  const { nodeName, criSocket, noTaintMaster, imagePullPolicy } = object;
  const registration = present({
    name: nodeName,
    criSocket,
    imagePullPolicy: imagePullPolicy === '' ? undefined : imagePullPolicy,
    taints: noTaintMaster === true ? [] : undefined,
    ...given,
    kubeletExtraArgs: argumentsOfMap(kubeletExtraArgs),
  });
  return Object.keys(registration).length === 0 ? undefined : registration;
}

const oldRepositories = new Set(['gcr.io/google_containers', 'k8s.gcr.io']);

function clusterOf(object: JsonObject): JsonObject {
  const { imageRepository, etcd } = object;
  const modes = object['authorizationModes'];
  const server = componentOf(object, 'apiServer');
  const authorization = Array.isArray(modes)
    ? [{ name: 'authorization-mode', value: modes.join(',') }]
    : [];
  const extraArgs = [
    ...(Array.isArray(server['extraArgs']) ? server['extraArgs'] : []),
    ...authorization,
  ];
  return present({
    networking: object['networking'],
    kubernetesVersion: object['kubernetesVersion'],
    certificatesDir: object['certificatesDir'],
    clusterName: object['clusterName'],
    // The old public registry is frozen; what it has is in the new one.
    imageRepository: oldRepositories.has(String(imageRepository)) ? undefined : imageRepository,
    controlPlaneEndpoint: objectMember(object, 'api')['controlPlaneEndpoint'],
    etcd: isJsonObject(etcd) ? convertOldEtcd(etcd) : undefined,
    apiServer: present({
      ...server,
      extraArgs: extraArgs.length === 0 ? undefined : extraArgs,
      certSANs: object['apiServerCertSANs'],
    }),
    controllerManager: componentOf(object, 'controllerManager'),
    scheduler: componentOf(object, 'scheduler'),
  });
}

function componentOf(object: JsonObject, component: string): JsonObject {
  const volumes = object[`${component}ExtraVolumes`];
  return present({
    extraArgs: argumentsOfMap(object[`${component}ExtraArgs`]),
    extraVolumes: Array.isArray(volumes) ? volumes.map(convertVolume) : undefined,
  });
}

/** `writable` became `readOnly`, its opposite. */
function convertVolume(volume: JsonValue): JsonValue {
  if (!isJsonObject(volume)) return volume;
  const { writable, ...rest } = volume;
  return writable === true ? rest : { ...rest, readOnly: true };
}

function componentDocuments(object: JsonObject): readonly Converted[] {
  const proxy = objectMember(object, 'kubeProxy')['config'];
  const kubelet = objectMember(object, 'kubeletConfiguration')['baseConfig'];
  return [
    ...(isJsonObject(kubelet) ? [component('KubeletConfiguration', kubelet)] : []),
    ...(isJsonObject(proxy) ? [component('KubeProxyConfiguration', proxy)] : []),
  ];
}

function component(
  kind: 'KubeletConfiguration' | 'KubeProxyConfiguration',
  given: JsonObject,
): Converted {
  const apiVersion =
    kind === 'KubeletConfiguration'
      ? 'kubelet.config.k8s.io/v1beta1'
      : 'kubeproxy.config.k8s.io/v1alpha1';
  const member: Path =
    kind === 'KubeletConfiguration'
      ? ['kubeletConfiguration', 'baseConfig']
      : ['kubeProxy', 'config'];
  return {
    kind,
    object: { ...given, apiVersion, kind },
    sourcePath: (path) => [...member, ...path],
  };
}

function convertNode(object: JsonObject): Converted {
  const servers = object['discoveryTokenAPIServers'];
  const token = object['discoveryToken'] ?? object['token'];
  const file = object['discoveryFile'];
  const bootstrapToken = present({
    token,
    // The first server is the one that is asked.
    apiServerEndpoint: Array.isArray(servers) ? servers[0] : undefined,
    caCertHashes: object['discoveryTokenCACertHashes'],
    unsafeSkipCAVerification: object['discoveryTokenUnsafeSkipCAVerification'],
  });
  const discovery = present({
    bootstrapToken: file === undefined || token !== undefined ? bootstrapToken : undefined,
    file: file === undefined ? undefined : { kubeConfigPath: file },
    tlsBootstrapToken: object['tlsBootstrapToken'] ?? object['token'],
  });
  const { caCertPath } = object;
  const converted = present({ caCertPath, discovery, nodeRegistration: registrationOf(object) });
  return { kind: 'JoinConfiguration', object: converted, sourcePath: oldPath(object) };
}
