import { configMaps, nodeRoleLabel, nodes } from '@slipway/api';
import { clusterInfoKey } from '@slipway/bootstrap';
import type { KubeClient } from '@slipway/kube';
import { type BootstrapToken, signatureKey, signDetached } from '@slipway/pki';

/**
 * Signs kube-public/cluster-info with the token, so that hosts need not wait for the controller that
 * signs with every token. Signatures of earlier tokens do not matter any more.
 */
export async function signClusterInfo(client: KubeClient, token: BootstrapToken): Promise<void> {
  const clusterInfo = await client.get(configMaps, clusterInfoKey);
  const kubeconfig = clusterInfo.data?.['kubeconfig'] ?? '';
  const body = { data: { [signatureKey(token.id)]: signDetached(kubeconfig, token) } };
  await client.patch(configMaps, clusterInfoKey, { type: 'merge', body });
}

/** True when the node has a role: that of a control plane is given once, and then its user's business. */
export async function hasRole(client: KubeClient, nodeName: string): Promise<boolean> {
  const node = await client.get(nodes, nodeName);
  const labels = Object.keys(node.metadata?.labels ?? {});
  return labels.some((label) => label.startsWith('node-role.kubernetes.io/'));
}

/** Gives a node the role of a worker: a kubelet may not label itself with one, and kubeadm gives none. */
export async function markWorker(client: KubeClient, nodeName: string): Promise<void> {
  const body = { metadata: { labels: { [nodeRoleLabel.worker]: '' } } };
  await client.patch(nodes, nodeName, { type: 'merge', body });
}
