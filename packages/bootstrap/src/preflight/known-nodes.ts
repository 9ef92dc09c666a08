import { nodes } from '@slipway/api';
import { isForbidden, type KubeClient } from '@slipway/kube';
import type { KnownNode } from './check/node-address.ts';

/** Nodes of the cluster with their internal addresses; undefined when the client may not list them. */
export async function listKnownNodes(
  client: KubeClient,
): Promise<readonly KnownNode[] | undefined> {
  try {
    const found = await client.list(nodes);
    return found.map(({ metadata, status }) => ({
      name: metadata?.name ?? '',
      internalAddresses: (status?.addresses ?? [])
        .filter(({ type }) => type === 'InternalIP')
        .map(({ address }) => address),
    }));
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
