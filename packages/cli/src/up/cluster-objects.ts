import {
  type ConfigMap,
  configMaps,
  type KubeObject,
  nodeRoleLabel,
  nodes,
  type Resource,
  type SecretObject,
  secrets,
} from '@slipway/api';
import { isAlreadyExists, type KubeClient } from '@slipway/kube';
import { type BootstrapToken, bootstrapTokenSecret } from '@slipway/pki';
import type { HostPlace } from './settings.ts';

const hourMs = 60 * 60 * 1000;

async function apply<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
): Promise<void> {
  try {
    await client.create(resource, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { name = '', namespace } = object.metadata ?? {};
    const key = namespace === undefined ? name : { namespace, name };
    await client.patch(resource, key, { type: 'merge', body: object });
  }
}

/** The token's Secret: good for an hour, which is more than hosts need to join. */
export async function publishToken(
  client: KubeClient,
  token: BootstrapToken,
  now: number,
): Promise<void> {
  const description = 'joins the hosts of slipway up';
  const secret = bootstrapTokenSecret({ token, description, expiresAt: now + hourMs });
  await apply<SecretObject>(client, secrets, secret);
}

/** kube-public/cluster-info: where the cluster is and whom it trusts, for joining hosts to read. */
export async function publishClusterInfo(
  client: KubeClient,
  server: string,
  certificateAuthorityPem: string,
): Promise<void> {
  const authority = Buffer.from(certificateAuthorityPem).toString('base64');
  const kubeconfig = [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${authority}`,
    `    server: ${server}`,
    '  name: ""',
    'contexts: null',
    'current-context: ""',
    'kind: Config',
    'preferences: {}',
    'users: null',
    '',
  ].join('\n');
  await apply<ConfigMap>(client, configMaps, {
    metadata: { namespace: 'kube-public', name: 'cluster-info' },
    data: { kubeconfig },
  });
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
