import { markNode } from '../object/mark-node.ts';
import { controlPlaneMark } from '../object/node-mark.ts';
import type { JoinData } from './data.ts';

/** Labels and taints of a control plane on the Node. */
export async function markControlPlane({ join, trust, reporter }: JoinData): Promise<void> {
  const { name, taints } = join.nodeRegistration;
  reporter.phase(
    'mark-control-plane',
    `node ${name} gets the labels and taints of a control plane`,
  );
  const client = await trust.adminClient();
  await markNode(client, name, (node) => controlPlaneMark(node, taints), trust.calls);
}
