import { type ConnectionConfig, createKubeClient } from '@slipway/kube';
import { hasSocketAnnotations } from '../facts/feature-gates.ts';
import { markNode } from '../object/mark-node.ts';
import { criSocketMark } from '../object/node-mark.ts';
import type { JoinData } from './data.ts';

/** Where nodes do not keep their socket, it is written on the Node, with the credentials of its kubelet. */
export async function annotateSocket(
  { trust, join, reporter }: Pick<JoinData, 'trust' | 'join' | 'reporter'>,
  connection: ConnectionConfig,
): Promise<void> {
  const { cluster } = await trust.settings();
  if (!hasSocketAnnotations(cluster)) return;
  const { name, criSocket } = join.nodeRegistration;
  reporter.phase('kubelet-start', `node ${name} is annotated with ${criSocket}`);
  const client = createKubeClient(connection);
  try {
    await markNode(client, name, (node) => criSocketMark(node, criSocket), trust.calls);
  } finally {
    client.close();
  }
}
