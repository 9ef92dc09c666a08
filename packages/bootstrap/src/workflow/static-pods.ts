import type { JsonObject } from '@slipway/base';
import type { InitSettings } from '../config/configuration.ts';
import { type ControlPlaneComponent, kubernetesPaths } from '../facts/paths.ts';
import { type EtcdMember, etcdPod } from '../manifest/etcd.ts';
import { patchedPod } from '../manifest/patched-pod.ts';
import { controlPlanePod } from '../manifest/static-pods.ts';
import { readSurroundings } from '../manifest/surroundings.ts';
import { yamlText } from '../object/yaml-text.ts';
import type { Patch } from '../patches/load-patches.ts';
import type { Ground, Reporter } from './ground.ts';
import { writeIfChanged } from './write-if-changed.ts';

/** What static pods are written with. */
export type StaticPodWriter = {
  readonly ground: Ground;
  readonly reporter: Reporter;
  readonly patches: readonly Patch[];
};

const root = { uid: 0, gid: 0 };

/** Writes the static pods of components of the control plane (mode 0600, directory 0700). */
export async function writeComponents(
  components: readonly ControlPlaneComponent[],
  settings: InitSettings,
  writer: StaticPodWriter,
): Promise<void> {
  const surroundings = await readSurroundings(writer.ground, settings.cluster.certificatesDir);
  for (const component of components) {
    const pod = controlPlanePod(component, settings, surroundings);
    await writePod(component, pod, { ...writer, phase: 'control-plane' });
  }
}

/**
 * Writes the static pod of etcd and makes its data directory (mode 0700). With `members`, the new one among
 * them, it joins an etcd that runs.
 */
export async function writeEtcdPod(
  settings: InitSettings,
  writer: StaticPodWriter,
  members?: readonly EtcdMember[],
): Promise<void> {
  const { etcd } = settings.cluster;
  if (!('local' in etcd)) return;
  await writer.ground.files.makeDirectory(etcd.local.dataDir, { mode: 0o700, ...root });
  await writePod('etcd', etcdPod(settings, members), { ...writer, phase: 'etcd' });
}

async function writePod(
  name: ControlPlaneComponent | 'etcd',
  pod: JsonObject,
  { ground, reporter, patches, phase }: StaticPodWriter & { readonly phase: string },
): Promise<void> {
  const path = `${kubernetesPaths.manifests}/${name}.yaml`;
  const text = yamlText(patchedPod(name, pod, patches));
  await ground.files.makeDirectory(kubernetesPaths.manifests, { mode: 0o700, ...root });
  const attributes = { mode: 0o600, ...root };
  const isWritten = await writeIfChanged(ground.files, path, text, attributes);
  reporter.phase(phase, isWritten ? `wrote ${path}` : `${path} is right already`);
}
