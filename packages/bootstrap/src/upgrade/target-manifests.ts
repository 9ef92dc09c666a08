import type { JsonObject } from '@slipway/base';
import type { InitSettings } from '../config/configuration.ts';
import { type ControlPlaneComponent, controlPlaneComponents } from '../facts/paths.ts';
import { etcdPod } from '../manifest/etcd.ts';
import { patchedPod } from '../manifest/patched-pod.ts';
import { controlPlanePod } from '../manifest/static-pods.ts';
import { readSurroundings } from '../manifest/surroundings.ts';
import type { Patch } from '../patches/load-patches.ts';
import type { Ground } from '../workflow/ground.ts';
import type { TargetManifest } from './diff-manifests.ts';

/**
 * The static pods that this control plane would have with another version: those of the API server, the
 * controller manager and the scheduler, and of etcd where the cluster runs it itself; patched as they would
 * be written.
 */
export async function targetManifests(
  settings: InitSettings,
  kubernetesVersion: string,
  ground: Ground,
  patches: readonly Patch[] = [],
): Promise<readonly TargetManifest[]> {
  const cluster = { ...settings.cluster, kubernetesVersion };
  const target = { ...settings, cluster };
  const surroundings = await readSurroundings(ground, cluster.certificatesDir);
  const patched = (component: ControlPlaneComponent | 'etcd', pod: JsonObject): TargetManifest => ({
    component,
    pod: patchedPod(component, pod, patches),
  });
  const pods = controlPlaneComponents.map((component) =>
    patched(component, controlPlanePod(component, target, surroundings)),
  );
  return 'local' in cluster.etcd ? [...pods, patched('etcd', etcdPod(target))] : pods;
}
