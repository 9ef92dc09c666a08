import { environmentSource } from './environment-source.ts';
import {
  boolean,
  duration,
  type Fields,
  integer,
  listOf,
  mapOf,
  object,
  type Shape,
  string,
  timestamp,
} from './shape.ts';

/** Fields of kubeadm.k8s.io/v1beta4, by kind (apis/kubeadm/v1beta4/types.go of Kubernetes 1.37.2). */

export const typeFields: Fields = { apiVersion: string, kind: string };

const argumentList = listOf(object({ name: string, value: string }));

/** core/v1 EnvVar. */
const environmentList = listOf(
  object({ name: string, value: string, valueFrom: environmentSource }),
);

export const volumeList = listOf(
  object({
    name: string,
    hostPath: string,
    mountPath: string,
    readOnly: boolean,
    pathType: string,
  }),
);

export const taintList = listOf(
  object({ key: string, value: string, effect: string, timeAdded: timestamp }),
);

const timeouts = object({
  controlPlaneComponentHealthCheck: duration,
  kubeletHealthCheck: duration,
  kubernetesAPICall: duration,
  etcdAPICall: duration,
  tlsBootstrap: duration,
  discovery: duration,
  upgradeManifests: duration,
});

export const patches = object({ directory: string });
export const endpoint = object({ advertiseAddress: string, bindPort: integer });

export const tokenList = listOf(
  object({
    token: string,
    description: string,
    ttl: duration,
    expires: timestamp,
    usages: listOf(string),
    groups: listOf(string),
  }),
);

function nodeRegistrationOf(argument: Shape): Fields {
  return {
    name: string,
    criSocket: string,
    taints: taintList,
    kubeletExtraArgs: argument,
    ignorePreflightErrors: listOf(string),
    imagePullPolicy: string,
    imagePullSerial: boolean,
  };
}

function initOf(argument: Shape): Fields {
  return {
    ...typeFields,
    bootstrapTokens: tokenList,
    dryRun: boolean,
    nodeRegistration: object(nodeRegistrationOf(argument)),
    localAPIEndpoint: endpoint,
    certificateKey: string,
    skipPhases: listOf(string),
    patches,
    timeouts,
  };
}

function componentOf(argument: Shape): Fields {
  return { extraArgs: argument, extraVolumes: volumeList, extraEnvs: environmentList };
}

export const image = { imageRepository: string, imageTag: string } as const;

export const networking = object({ serviceSubnet: string, podSubnet: string, dnsDomain: string });

function clusterOf(argument: Shape): Fields {
  return {
    ...typeFields,
    etcd: object({
      local: object({
        ...image,
        dataDir: string,
        extraArgs: argument,
        extraEnvs: environmentList,
        serverCertSANs: listOf(string),
        peerCertSANs: listOf(string),
      }),
      external: object({
        endpoints: listOf(string),
        // Of kubeadm 1.35 and later, in v1beta4 too.
        httpEndpoints: listOf(string),
        caFile: string,
        certFile: string,
        keyFile: string,
      }),
    }),
    networking,
    kubernetesVersion: string,
    controlPlaneEndpoint: string,
    apiServer: object({ ...componentOf(argument), certSANs: listOf(string) }),
    controllerManager: object(componentOf(argument)),
    scheduler: object(componentOf(argument)),
    dns: object({ ...image, disabled: boolean }),
    proxy: object({ disabled: boolean }),
    certificatesDir: string,
    imageRepository: string,
    featureGates: mapOf(boolean),
    clusterName: string,
    encryptionAlgorithm: string,
    certificateValidityPeriod: duration,
    caCertificateValidityPeriod: duration,
  };
}

function joinOf(argument: Shape): Fields {
  return {
    ...typeFields,
    dryRun: boolean,
    nodeRegistration: object(nodeRegistrationOf(argument)),
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
    }),
    controlPlane: object({ localAPIEndpoint: endpoint, certificateKey: string }),
    skipPhases: listOf(string),
    patches,
    timeouts,
  };
}

const reset: Fields = {
  ...typeFields,
  cleanupTmpDir: boolean,
  certificatesDir: string,
  criSocket: string,
  dryRun: boolean,
  force: boolean,
  ignorePreflightErrors: listOf(string),
  skipPhases: listOf(string),
  unmountFlags: listOf(string),
  timeouts,
};

const upgradeNode: Fields = {
  certificateRenewal: boolean,
  dryRun: boolean,
  etcdUpgrade: boolean,
  ignorePreflightErrors: listOf(string),
  patches,
  skipPhases: listOf(string),
  imagePullPolicy: string,
  imagePullSerial: boolean,
};

const upgradeTarget: Fields = {
  kubernetesVersion: string,
  allowExperimentalUpgrades: boolean,
  allowRCUpgrades: boolean,
  printConfig: boolean,
};

const upgrade: Fields = {
  ...typeFields,
  apply: object({ ...upgradeNode, ...upgradeTarget, forceUpgrade: boolean }),
  node: object(upgradeNode),
  plan: object({
    ...upgradeTarget,
    dryRun: boolean,
    etcdUpgrade: boolean,
    ignorePreflightErrors: listOf(string),
  }),
  diff: object({ kubernetesVersion: string, contextLines: integer }),
  timeouts,
};

function kindsOf(argument: Shape): Readonly<Record<string, Shape>> {
  return {
    InitConfiguration: object(initOf(argument)),
    ClusterConfiguration: object(clusterOf(argument)),
    JoinConfiguration: object(joinOf(argument)),
    ResetConfiguration: object(reset),
    UpgradeConfiguration: object(upgrade),
  };
}

/** Shapes of the kinds of v1beta4. */
export const v1beta4 = kindsOf(argumentList);

/** v1 is v1beta4 with a merge method for each argument. */
export const v1 = kindsOf(listOf(object({ name: string, value: string, mergeMethod: string })));
