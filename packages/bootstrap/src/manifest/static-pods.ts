import type { JsonObject } from '@slipway/base';
import type { InitSettings } from '../config/configuration.ts';
import type { ControlPlaneComponent } from '../facts/paths.ts';
import { kubeApiServerPod } from './kube-apiserver.ts';
import { kubeControllerManagerPod } from './kube-controller-manager.ts';
import { kubeSchedulerPod } from './kube-scheduler.ts';
import { refuseRootless } from './refuse-rootless.ts';
import type { Surroundings } from './surroundings.ts';

const builders = {
  'kube-apiserver': kubeApiServerPod,
  'kube-controller-manager': kubeControllerManagerPod,
  'kube-scheduler': kubeSchedulerPod,
} as const;

/**
 * The static pod of a component of the control plane, before patches.
 * @throws UserError `bootstrap.manifest.rootless`
 */
export function controlPlanePod(
  component: ControlPlaneComponent,
  settings: InitSettings,
  surroundings: Surroundings,
): JsonObject {
  refuseRootless(settings.cluster, component);
  return builders[component](settings, surroundings);
}
