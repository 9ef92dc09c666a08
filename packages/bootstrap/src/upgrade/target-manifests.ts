import type { InitSettings } from '../config/configuration.ts';
import { controlPlaneComponents } from '../facts/paths.ts';
import { etcdPod } from '../manifest/etcd.ts';
import { controlPlanePod } from '../manifest/static-pods.ts';
import { readSurroundings } from '../manifest/surroundings.ts';
import type { Ground } from '../workflow/ground.ts';
import type { TargetManifest } from './diff-manifests.ts';

/**
 * The static pods that this control plane would have with another version: those of the API server, the
 * controller manager and the scheduler, and of etcd where the cluster runs it itself. Without patches,
 * as kubeadm compares them.
 */
export async function targetManifests(
  settings: InitSettings,
  kubernetesVersion: string,
  ground: Ground,
): Promise<readonly TargetManifest[]> {
  const cluster = { ...settings.cluster, kubernetesVersion };
  const target = { ...settings, cluster };
  const surroundings = await readSurroundings(ground, cluster.certificatesDir);
  const etcd = 'local' in cluster.etcd ? [{ component: 'etcd', pod: etcdPod(target) }] : [];
  return [
    ...controlPlaneComponents.map((component) => ({
      component,
      pod: controlPlanePod(component, target, surroundings),
    })),
    ...etcd,
  ];
}
