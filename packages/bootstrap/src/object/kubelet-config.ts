import { configMaps } from '@slipway/api';
import type { JsonObject } from '@slipway/base';
import { joinedNodes, joiningNodes, readAccess } from './access.ts';
import { type ClusterObject, clusterObject } from './cluster-object.ts';
import { generatedAnnotations } from './component-config-hash.ts';
import { yamlText } from './yaml-text.ts';

/** Where the cluster keeps the KubeletConfiguration of all nodes. */
export const kubeletConfigKey = { namespace: 'kube-system', name: 'kubelet-config' } as const;

/**
 * ConfigMap kubelet-config and who may read it. `configuration` is what all nodes start from: not
 * patched, and without what belongs to one node. `isGenerated`: no KubeletConfiguration was given, so
 * that an upgrade may make it anew.
 */
export function kubeletConfigObjects(
  configuration: JsonObject,
  isGenerated: boolean,
): readonly ClusterObject[] {
  const data = { kubelet: yamlText(configuration) };
  const annotations = isGenerated ? { annotations: generatedAnnotations(data) } : {};
  return [
    clusterObject(configMaps, { metadata: { ...kubeletConfigKey, ...annotations }, data }),
    ...readAccess('kubeadm:kubelet-config', { ...kubeletConfigKey, plural: 'configmaps' }, [
      joinedNodes,
      joiningNodes,
    ]),
  ];
}
