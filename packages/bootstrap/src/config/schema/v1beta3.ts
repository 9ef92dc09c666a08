import {
  boolean,
  duration,
  type Fields,
  listOf,
  mapOf,
  object,
  type Shape,
  string,
} from './shape.ts';
import {
  endpoint,
  image,
  networking,
  patches,
  taintList,
  tokenList,
  typeFields,
  volumeList,
} from './v1beta4.ts';

/** Fields of kubeadm.k8s.io/v1beta3, by kind (apis/kubeadm/v1beta3/types.go of Kubernetes 1.36.3). */

const component: Fields = { extraArgs: mapOf(string), extraVolumes: volumeList };

const nodeRegistration = object({
  name: string,
  criSocket: string,
  taints: taintList,
  kubeletExtraArgs: mapOf(string),
  ignorePreflightErrors: listOf(string),
  imagePullPolicy: string,
});

/** Shapes of the kinds of v1beta3. */
export const v1beta3: Readonly<Record<string, Shape>> = {
  InitConfiguration: object({
    ...typeFields,
    bootstrapTokens: tokenList,
    nodeRegistration,
    localAPIEndpoint: endpoint,
    certificateKey: string,
    skipPhases: listOf(string),
    patches,
  }),
  ClusterConfiguration: object({
    ...typeFields,
    etcd: object({
      local: object({
        ...image,
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
    networking,
    kubernetesVersion: string,
    controlPlaneEndpoint: string,
    apiServer: object({
      ...component,
      certSANs: listOf(string),
      timeoutForControlPlane: duration,
    }),
    controllerManager: object(component),
    scheduler: object(component),
    dns: object(image),
    certificatesDir: string,
    imageRepository: string,
    featureGates: mapOf(boolean),
    clusterName: string,
  }),
  JoinConfiguration: object({
    ...typeFields,
    nodeRegistration,
    caCertPath: string,
    discovery: object({
      bootstrapToken: object({
        token: string,
        apiServerEndpoint: string,
        caCertHashes: listOf(string),
        unsafeSkipCAVerification: boolean,
      }),
      file: object({ kubeConfigPath: string }),
      tlsBootstrapToken: string,
      timeout: duration,
    }),
    controlPlane: object({ localAPIEndpoint: endpoint, certificateKey: string }),
    skipPhases: listOf(string),
    patches,
  }),
};
