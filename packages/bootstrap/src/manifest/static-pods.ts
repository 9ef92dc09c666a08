import type { JsonObject } from '@slipway/base';
import type { InitSettings } from '../config/configuration.ts';
import type { ControlPlaneComponent } from '../facts/paths.ts';
import { kubeApiServerPod } from './kube-apiserver.ts';
import { kubeControllerManagerPod } from './kube-controller-manager.ts';
import { kubeSchedulerPod } from './kube-scheduler.ts';
import type { Surroundings } from './surroundings.ts';

const builders = {
  'kube-apiserver': kubeApiServerPod,
  'kube-controller-manager': kubeControllerManagerPod,
  'kube-scheduler': kubeSchedulerPod,
} as const;

/** The static pod of a component of the control plane, before patches. */
export function controlPlanePod(
  component: ControlPlaneComponent,
  settings: InitSettings,
  surroundings: Surroundings,
): JsonObject {
  return builders[component](settings, surroundings);
}
