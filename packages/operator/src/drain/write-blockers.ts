import { type DrainBlocker, type MachineConfigNode, machineConfigNodes } from '@slipway/api';
import { jsonEqual } from '@slipway/base';
import { type Informer, isNotFound, type KubeClient } from '@slipway/kube';

/** Writes what a drain waits for to the node's MachineConfigNode, when it differs. */
export async function writeBlockers(
  client: KubeClient,
  cache: Informer<MachineConfigNode>,
  nodeName: string,
  blockers: readonly DrainBlocker[],
): Promise<void> {
  const known = cache.get(nodeName)?.status?.drainBlockers ?? [];
  if (jsonEqual(known, blockers)) return;
  const body = { status: { drainBlockers: blockers.length === 0 ? null : blockers } };
  const patch = { type: 'merge', body } as const;
  try {
    await client.patch(machineConfigNodes, nodeName, patch, { subresource: 'status' });
  } catch (error) {
    // Created with the node by another controller: the next attempt writes them.
    if (!isNotFound(error)) throw error;
  }
}
