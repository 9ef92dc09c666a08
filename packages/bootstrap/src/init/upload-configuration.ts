import type { Node } from '@slipway/api';
import { renderClusterConfiguration } from '../config/render.ts';
import { hasSocketAnnotations } from '../facts/feature-gates.ts';
import { kubeletConfiguration } from '../kubelet/kubelet-configuration.ts';
import { applyObjects } from '../object/apply-objects.ts';
import { kubeadmConfigKey, kubeadmConfigObjects } from '../object/kubeadm-config.ts';
import { kubeletConfigKey, kubeletConfigObjects } from '../object/kubelet-config.ts';
import { markNode } from '../object/mark-node.ts';
import { criSocketMark } from '../object/node-mark.ts';
import type { InitData } from './data.ts';

/** Stores the ClusterConfiguration, for nodes that join and for upgrades. */
export async function uploadClusterConfiguration(data: InitData): Promise<void> {
  const { settings, access, reporter } = data;
  const { namespace, name } = kubeadmConfigKey;
  reporter.phase('upload-config', `writing ConfigMap ${namespace}/${name}`);
  const objects = kubeadmConfigObjects(renderClusterConfiguration(settings.cluster));
  await applyObjects(await access.client(), objects, access.calls);
}

/** Stores what the kubelets of all nodes start from: without the patches and the socket of one node. */
export async function uploadKubeletConfiguration(data: InitData): Promise<void> {
  const { settings, access, reporter } = data;
  const { namespace, name } = kubeletConfigKey;
  reporter.phase('upload-config', `writing ConfigMap ${namespace}/${name}`);
  const configuration = kubeletConfiguration(settings);
  const isGenerated = settings.components.kubelet === undefined;
  const objects = kubeletConfigObjects(configuration, isGenerated);
  await applyObjects(await access.client(), objects, access.calls);
  if (!hasSocketAnnotations(settings.cluster)) return;
  const node = settings.init.nodeRegistration;
  reporter.phase('upload-config', `node ${node.name} is annotated with ${node.criSocket}`);
  const decide = (found: Node) => criSocketMark(found, node.criSocket);
  await markNode(await access.client(), node.name, decide, access.calls);
}
