import {
  any,
  boolean,
  duration,
  integer,
  listOf,
  mapOf,
  object,
  type Shape,
  string,
} from './shape.ts';
import { networking, taintList, typeFields } from './v1beta4.ts';

/**
 * Fields of MasterConfiguration and NodeConfiguration as kubeadm of Kubernetes 1.6 to 1.11 read them
 * (v1alpha1, v1alpha2). `any`: read, and dropped with a warning.
 */

const oldVolumes = listOf(
  object({
    name: string,
    hostPath: string,
    mountPath: string,
    writable: boolean,
    pathType: string,
  }),
);

const registration = {
  nodeName: string,
  criSocket: string,
  noTaintMaster: boolean,
  nodeRegistration: object({
    name: string,
    criSocket: string,
    taints: taintList,
    kubeletExtraArgs: mapOf(string),
  }),
} as const;

const masterConfiguration = object({
  ...typeFields,
  ...registration,
  api: object({ advertiseAddress: string, bindPort: integer, controlPlaneEndpoint: string }),
  networking,
  kubernetesVersion: string,
  certificatesDir: string,
  clusterName: string,
  imageRepository: string,
  featureGates: mapOf(boolean),
  apiServerExtraArgs: mapOf(string),
  controllerManagerExtraArgs: mapOf(string),
  schedulerExtraArgs: mapOf(string),
  apiServerExtraVolumes: oldVolumes,
  controllerManagerExtraVolumes: oldVolumes,
  schedulerExtraVolumes: oldVolumes,
  apiServerCertSANs: listOf(string),
  authorizationModes: listOf(string),
  cloudProvider: string,
  etcd: object({
    endpoints: listOf(string),
    caFile: string,
    certFile: string,
    keyFile: string,
    dataDir: string,
    extraArgs: mapOf(string),
    serverCertSANs: listOf(string),
    peerCertSANs: listOf(string),
    image: string,
    selfHosted: any,
    local: object({
      image: string,
      dataDir: string,
      extraArgs: mapOf(string),
      serverCertSANs: listOf(string),
      peerCertSANs: listOf(string),
    }),
    external: object({
      endpoints: listOf(string),
      caFile: string,
      certFile: string,
      keyFile: string,
    }),
  }),
  token: string,
  tokenTTL: duration,
  tokenUsages: listOf(string),
  tokenGroups: listOf(string),
  bootstrapTokens: listOf(
    object({
      token: string,
      description: string,
      ttl: duration,
      usages: listOf(string),
      groups: listOf(string),
    }),
  ),
  kubeProxy: object({ config: any }),
  kubeletConfiguration: object({ baseConfig: any }),
  unifiedControlPlaneImage: any,
  ciImageRepository: any,
  auditPolicy: any,
  privilegedPods: any,
  imagePullPolicy: string,
});

const nodeConfiguration = object({
  ...typeFields,
  ...registration,
  caCertPath: string,
  clusterName: string,
  discoveryFile: string,
  discoveryToken: string,
  discoveryTimeout: duration,
  discoveryTokenAPIServers: listOf(string),
  discoveryTokenCACertHashes: listOf(string),
  discoveryTokenUnsafeSkipCAVerification: boolean,
  tlsBootstrapToken: string,
  token: string,
  featureGates: mapOf(boolean),
});

/** Shapes of the kinds before InitConfiguration and JoinConfiguration. */
export const v1alpha: Readonly<Record<string, Shape>> = {
  MasterConfiguration: masterConfiguration,
  NodeConfiguration: nodeConfiguration,
};
