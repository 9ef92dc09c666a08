import type { HostPath } from '@slipway/host';
import type { InitSettings } from '../config/configuration.ts';
import { hasNodeLocalSockets } from '../facts/feature-gates.ts';
import { kubernetesPaths } from '../facts/paths.ts';
import { yamlText } from '../object/yaml-text.ts';
import { applyPatches } from '../patches/apply-patches.ts';
import type { Patch } from '../patches/load-patches.ts';
import type { Ground, Reporter } from '../workflow/ground.ts';
import { writeIfChanged } from '../workflow/write-if-changed.ts';
import { hostKubeletConfiguration, kubeletConfiguration } from './kubelet-configuration.ts';
import { kubeletFlagsText } from './kubelet-flags.ts';

export type KubeletFilesOrder = {
  readonly ground: Ground;
  readonly reporter: Reporter;
  /** True for a worker that joins. */
  readonly registerTaints: boolean;
  /** Those of the target kubeletconfiguration count. */
  readonly patches: readonly Patch[];
};

/**
 * Writes what a kubelet starts from: kubeadm-flags.env, instance-config.yaml (the socket of this node) and
 * config.yaml (that of the cluster, patched, with the instance's over it). A file that is right is left alone.
 * Where nodes do not keep their socket there is no instance-config.yaml: the flag has it.
 */
export async function writeKubeletFiles(
  settings: InitSettings,
  order: KubeletFilesOrder,
): Promise<void> {
  const { ground, reporter, registerTaints, patches } = order;
  const { cluster, init } = settings;
  const node = init.nodeRegistration;
  const hostname = ground.machine.hostname().trim().toLowerCase();
  const instance = hasNodeLocalSockets(cluster)
    ? { containerRuntimeEndpoint: node.criSocket }
    : undefined;
  const shared = await hostKubeletConfiguration(kubeletConfiguration(settings), ground);
  const patched = applyPatches('kubeletconfiguration', shared, patches);
  const texts: readonly (readonly [HostPath, string])[] = [
    [kubernetesPaths.kubeletFlags, kubeletFlagsText({ cluster, node, hostname, registerTaints })],
    ...(instance === undefined
      ? []
      : [[kubernetesPaths.kubeletInstanceConfiguration, yamlText(instance)] as const]),
    [kubernetesPaths.kubeletConfiguration, yamlText({ ...patched, ...instance })],
  ];
  await ground.files.makeDirectory(kubernetesPaths.kubelet, { mode: 0o700, uid: 0, gid: 0 });
  for (const [path, text] of texts) {
    const isNew = await writeIfChanged(ground.files, path, text, { mode: 0o644, uid: 0, gid: 0 });
    reporter.phase('kubelet-start', `${isNew ? 'wrote' : 'kept'} ${path}`);
  }
}
