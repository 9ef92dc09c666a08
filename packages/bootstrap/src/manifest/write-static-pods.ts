import type { JsonObject } from '@slipway/base';
import type { HostFiles, HostPath } from '@slipway/host';
import type { InitSettings } from '../config/configuration.ts';
import { type ControlPlaneComponent, kubernetesPaths } from '../facts/paths.ts';
import { yamlText } from '../object/yaml-text.ts';
import { applyPatches } from '../patches/apply-patches.ts';
import type { Patch } from '../patches/load-patches.ts';
import type { PatchTarget } from '../patches/patch-file-name.ts';
import type { Ground } from '../workflow/ground.ts';
import { type EtcdMember, etcdPod } from './etcd.ts';
import { controlPlanePod } from './static-pods.ts';
import { readSurroundings } from './surroundings.ts';

export type ManifestOrder = {
  readonly ground: Pick<Ground, 'files' | 'variables'>;
  readonly settings: InitSettings;
  readonly patches: readonly Patch[];
  /** Default /etc/kubernetes/manifests. */
  readonly directory?: HostPath;
};

/** What became of a manifest: a file that is right already is not touched, for the kubelet watches it. */
export type WrittenManifest = {
  readonly path: HostPath;
  readonly outcome: 'written' | 'kept';
};

/** Writes the manifests of components of the control plane, patched. */
export async function writeStaticPods(
  order: ManifestOrder,
  components: readonly ControlPlaneComponent[],
): Promise<readonly WrittenManifest[]> {
  const { ground, settings } = order;
  const surroundings = await readSurroundings(ground, settings.cluster.certificatesDir);
  const written: WrittenManifest[] = [];
  for (const component of components) {
    const pod = controlPlanePod(component, settings, surroundings);
    written.push(await writeManifest(order, component, pod));
  }
  return written;
}

/** Writes the manifest of a local etcd, patched, after its data folder. */
export async function writeEtcdManifest(
  order: ManifestOrder,
  members?: readonly EtcdMember[],
): Promise<WrittenManifest> {
  const { ground, settings } = order;
  const pod = etcdPod(settings, members);
  if ('local' in settings.cluster.etcd) {
    await makePrivateDirectory(ground.files, settings.cluster.etcd.local.dataDir);
  }
  return await writeManifest(order, 'etcd', pod);
}

async function writeManifest(
  { ground, patches, directory = kubernetesPaths.manifests }: ManifestOrder,
  component: PatchTarget,
  pod: JsonObject,
): Promise<WrittenManifest> {
  const path = `${directory}/${component}.yaml`;
  const content = Buffer.from(yamlText(applyPatches(component, pod, patches)));
  const { files } = ground;
  const attributes = { mode: 0o600, uid: 0, gid: 0 };
  const stat = await files.stat(path);
  if (
    stat?.type === 'file' &&
    stat.mode === attributes.mode &&
    content.equals(await files.read(path))
  ) {
    return { path, outcome: 'kept' };
  }
  await makePrivateDirectory(files, directory);
  await files.write(path, content, attributes);
  return { path, outcome: 'written' };
}

/** kubeadm makes these folders for root alone; one that is there keeps its mode. */
async function makePrivateDirectory(files: HostFiles, directory: HostPath): Promise<void> {
  await files.makeDirectory(directory, { mode: 0o700, uid: 0, gid: 0 });
}
