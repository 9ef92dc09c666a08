import type { JsonObject } from '@slipway/base';
import type { ClusterConfiguration, InitSettings } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import { kubernetesPaths, kubernetesPorts } from '../facts/paths.ts';
import { componentImage } from '../image/component-image.ts';
import { kubernetesMinor } from '../version/kubernetes-version.ts';
import { commandLine, type DefaultFlags, lastArgument } from './command-line.ts';
import { bindAddressHost } from './probe-host.ts';
import { mergeEnvironment, staticPod } from './static-pod.ts';
import type { Surroundings } from './surroundings.ts';
import {
  certificateVolumes,
  flexVolume,
  type HostVolume,
  kubeconfigVolume,
  withExtraVolumes,
} from './volumes.ts';

/** The static pod of kube-controller-manager (phases/controlplane/manifests.go). */
export function kubeControllerManagerPod(
  { cluster, init }: InitSettings,
  surroundings: Surroundings,
): JsonObject {
  const { controllerManager } = cluster;
  return staticPod({
    name: 'kube-controller-manager',
    image: componentImage('kube-controller-manager', cluster),
    command: [
      'kube-controller-manager',
      ...commandLine(flags(cluster, surroundings.isExternalAuthority), controllerManager.extraArgs),
    ],
    requests: { cpu: '200m' },
    probes: {
      ...bindAddressHost(controllerManager.extraArgs),
      port: kubernetesPorts.controllerManager,
      scheme: 'HTTPS',
      livenessPath: '/healthz',
      startupPath: '/healthz',
      startupSeconds: durationMs(init.timeouts.controlPlaneComponentHealthCheck) / 1000,
    },
    environment: mergeEnvironment(surroundings.proxyEnvironment, controllerManager.extraEnvs),
    volumes: withExtraVolumes(volumes(cluster, surroundings), controllerManager.extraVolumes),
  });
}

function volumes(
  { certificatesDir, controllerManager, kubernetesVersion }: ClusterConfiguration,
  { existingFolders }: Surroundings,
): readonly HostVolume[] {
  const plugins = lastArgument(controllerManager.extraArgs, 'flex-volume-plugin-dir');
  return [
    ...certificateVolumes(certificatesDir, existingFolders),
    kubeconfigVolume(kubernetesPaths.controllerManagerKubeconfig),
    ...(kubernetesMinor(kubernetesVersion) <= 35 ? [flexVolume(plugins?.value)] : []),
  ];
}

function flags(cluster: ClusterConfiguration, isExternalAuthority: boolean): DefaultFlags {
  const { certificatesDir: pki, networking, clusterName } = cluster;
  const kubeconfig = kubernetesPaths.controllerManagerKubeconfig;
  const ranges: DefaultFlags =
    networking.podSubnet === ''
      ? {}
      : {
          'allocate-node-cidrs': 'true',
          'cluster-cidr': networking.podSubnet,
          'service-cluster-ip-range': networking.serviceSubnet,
        };
  return {
    ...ranges,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'bind-address': '127.0.0.1',
    'client-ca-file': `${pki}/ca.crt`,
    'cluster-name': clusterName,
    // With an external authority the signer of certificates must not start.
    'cluster-signing-cert-file': isExternalAuthority ? '' : `${pki}/ca.crt`,
    'cluster-signing-key-file': isExternalAuthority ? '' : `${pki}/ca.key`,
    controllers: '*,bootstrapsigner,tokencleaner',
    kubeconfig,
    'leader-elect': 'true',
    'requestheader-client-ca-file': `${pki}/front-proxy-ca.crt`,
    'root-ca-file': `${pki}/ca.crt`,
    'service-account-private-key-file': `${pki}/sa.key`,
    'use-service-account-credentials': 'true',
  };
}
