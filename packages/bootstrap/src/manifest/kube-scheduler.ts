import type { JsonObject } from '@slipway/base';
import type { InitSettings } from '../config/configuration.ts';
import { durationMs } from '../config/duration.ts';
import { kubernetesPaths, kubernetesPorts } from '../facts/paths.ts';
import { componentImage } from '../image/component-image.ts';
import { commandLine } from './command-line.ts';
import { bindAddressHost } from './probe-host.ts';
import { mergeEnvironment, staticPod } from './static-pod.ts';
import type { Surroundings } from './surroundings.ts';
import { kubeconfigVolume, withExtraVolumes } from './volumes.ts';

const kubeconfig = kubernetesPaths.schedulerKubeconfig;

const flags = {
  'authentication-kubeconfig': kubeconfig,
  'authorization-kubeconfig': kubeconfig,
  'bind-address': '127.0.0.1',
  kubeconfig,
  'leader-elect': 'true',
};

/** The static pod of kube-scheduler (phases/controlplane/manifests.go). */
export function kubeSchedulerPod(
  { cluster, init }: InitSettings,
  surroundings: Surroundings,
): JsonObject {
  const { scheduler } = cluster;
  return staticPod({
    name: 'kube-scheduler',
    image: componentImage('kube-scheduler', cluster),
    command: ['kube-scheduler', ...commandLine(flags, scheduler.extraArgs)],
    requests: { cpu: '100m' },
    probes: {
      ...bindAddressHost(scheduler.extraArgs),
      port: kubernetesPorts.scheduler,
      scheme: 'HTTPS',
      livenessPath: '/livez',
      readinessPath: '/readyz',
      startupPath: '/livez',
      startupSeconds: durationMs(init.timeouts.controlPlaneComponentHealthCheck) / 1000,
    },
    environment: mergeEnvironment(surroundings.proxyEnvironment, scheduler.extraEnvs),
    volumes: withExtraVolumes([kubeconfigVolume(kubeconfig)], scheduler.extraVolumes),
  });
}
