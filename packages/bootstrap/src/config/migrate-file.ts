import type { Issue } from '@slipway/base';
import { loadConfiguration } from './load.ts';
import {
  joinDocuments,
  renderClusterConfiguration,
  renderComponentConfiguration,
  renderInitConfiguration,
  renderJoinConfiguration,
  renderResetConfiguration,
  renderUpgradeConfiguration,
} from './render.ts';
import { type FileOrder, type SettledFile, settleFile } from './settle-file.ts';
import type { Settled } from './settled.ts';

/**
 * The file as kubeadm.k8s.io/v1beta4, with every default written out. Documents of the kubelet and of
 * kube-proxy stay out, as with kubeadm, unless they were inside an old document: then nothing else has them.
 */
export async function migrateFile(order: FileOrder): Promise<Settled<string>> {
  const { value, issues } = await settleFile(order);
  if (value === undefined) return { issues };
  const inner = embeddedComponents(order);
  const documents = [...documentsOf(value), ...inner.map(renderComponentConfiguration)];
  const dropped = inner.length > 0 ? [] : leftOut(value);
  return { value: joinDocuments(documents), issues: [...issues, ...dropped] };
}

function documentsOf({ init, join, reset, upgrade }: SettledFile): readonly string[] {
  return [
    ...(init === undefined
      ? []
      : [renderInitConfiguration(init.init), renderClusterConfiguration(init.cluster)]),
    ...(join === undefined ? [] : [renderJoinConfiguration(join)]),
    ...(reset === undefined ? [] : [renderResetConfiguration(reset)]),
    ...(upgrade === undefined ? [] : [renderUpgradeConfiguration(upgrade)]),
  ];
}

/** `kubeletConfiguration.baseConfig` and `kubeProxy.config` of a MasterConfiguration. */
function embeddedComponents({ text, load }: FileOrder) {
  const { documents } = loadConfiguration(text, load);
  return [documents.KubeletConfiguration, documents.KubeProxyConfiguration].flatMap((document) =>
    document?.origin?.sourcePath === undefined ? [] : [document.object],
  );
}

function leftOut({ init }: SettledFile): readonly Issue[] {
  const { kubelet, kubeProxy } = init?.components ?? {};
  const kinds = [
    ...(kubelet === undefined ? [] : ['KubeletConfiguration']),
    ...(kubeProxy === undefined ? [] : ['KubeProxyConfiguration']),
  ];
  return kinds.map((kind) => ({
    code: 'bootstrap.config.unexpected-kind',
    severity: 'info',
    path: '',
    message: `${kind} needs no migration and is not written`,
    hint: 'copy the document into the new file',
  }));
}
