import { type Lease, leases, type Node } from '@slipway/api';
import type { Clock } from '@slipway/base';
import { isNotFound, type KubeClient } from '@slipway/kube';

/** Namespace of the leases by which kubelets show that they live. */
export const nodeLeaseNamespace = 'kube-node-lease';

/** How long a renewal counts, in seconds: the kubelet's default. */
const leaseDurationSeconds = 40;

function spec(nodeName: string, nowMs: number): NonNullable<Lease['spec']> {
  // MicroTime: six digits.
  const renewTime = new Date(nowMs).toISOString().replace('Z', '000Z');
  return { holderIdentity: nodeName, leaseDurationSeconds, renewTime };
}

/** Renews the Lease of `node`; creates it, owned by the Node, where it is missing. */
export async function renewNodeLease(client: KubeClient, node: Node, clock: Clock): Promise<void> {
  const name = node.metadata?.name ?? '';
  const body = { spec: spec(name, clock.now()) };
  const key = { namespace: nodeLeaseNamespace, name };
  try {
    await client.patch(leases, key, { type: 'merge', body });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const uid = node.metadata?.uid ?? '';
    await client.create(leases, {
      metadata: {
        ...key,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
      },
      ...body,
    });
  }
}
