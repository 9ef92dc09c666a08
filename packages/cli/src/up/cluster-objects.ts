import {
  type ConfigMap,
  configMaps,
  nodeRoleLabel,
  nodes,
  type SecretObject,
  secrets,
} from '@slipway/api';
import { type ClusterEntry, clusterInfoKubeconfig } from '@slipway/bootstrap';
import { isNotFound, type KubeClient } from '@slipway/kube';
import {
  type BootstrapToken,
  bootstrapTokenSecret,
  signatureKey,
  signDetached,
} from '@slipway/pki';
import type { HostPlace } from './settings.ts';

const hourMs = 60 * 60 * 1000;

/** The token's Secret: good for an hour, which is more than hosts need to join. */
export async function publishToken(
  client: KubeClient,
  token: BootstrapToken,
  now: number,
): Promise<void> {
  const description = 'joins the hosts of slipway up';
  const expiresAt = now + hourMs;
  const secret: SecretObject = bootstrapTokenSecret({ token, description, expiresAt });
  await client.create(secrets, secret);
}

/**
 * kube-public/cluster-info: where the cluster is and whom it trusts, for joining hosts to read, signed
 * with the token. Signatures of earlier tokens do not fit any more when the address changed, so they go.
 */
export async function publishClusterInfo(
  client: KubeClient,
  token: BootstrapToken,
  cluster: ClusterEntry,
): Promise<void> {
  const kubeconfig = clusterInfoKubeconfig(cluster);
  const key = { namespace: 'kube-public', name: 'cluster-info' };
  const data = { kubeconfig, [signatureKey(token.id)]: signDetached(kubeconfig, token) };
  const existing = await client.get(configMaps, key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (existing === undefined) await client.create<ConfigMap>(configMaps, { metadata: key, data });
  else await client.update<ConfigMap>(configMaps, { ...existing, data });
}

/**
 * Gives a node its role, as kubeadm's mark-control-plane does: a kubelet may not label itself with one.
 * A node that has any role already is left as its user made it.
 */
export async function markRole(client: KubeClient, place: HostPlace): Promise<void> {
  const node = await client.get(nodes, place.name);
  const labels = Object.keys(node.metadata?.labels ?? {});
  if (labels.some((label) => label.startsWith('node-role.kubernetes.io/'))) return;
  if (place.role === 'worker') {
    const body = { metadata: { labels: { [nodeRoleLabel.worker]: '' } } };
    await client.patch(nodes, place.name, { type: 'merge', body });
    return;
  }
  const marked = {
    [nodeRoleLabel.controlPlane]: '',
    'node.kubernetes.io/exclude-from-external-load-balancers': '',
  };
  const taint = { key: nodeRoleLabel.controlPlane, effect: 'NoSchedule' };
  const body = { metadata: { labels: marked }, spec: { taints: [taint] } };
  await client.patch(nodes, place.name, { type: 'strategic', body });
}
