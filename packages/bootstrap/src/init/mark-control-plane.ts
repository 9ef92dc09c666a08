import { markNode } from '../object/mark-node.ts';
import { controlPlaneLabels, controlPlaneMark } from '../object/node-mark.ts';
import type { InitData } from './data.ts';

/** Labels and taints of a control plane on the Node. */
export async function markControlPlane({ settings, access, reporter }: InitData): Promise<void> {
  const { name, taints } = settings.init.nodeRegistration;
  const shown = taints.map(({ key, value, effect }) =>
    value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`,
  );
  const text = `node ${name} gets the labels ${controlPlaneLabels.join(', ')}`;
  const withTaints = shown.length === 0 ? '' : ` and the taints ${shown.join(', ')}`;
  reporter.phase('mark-control-plane', `${text}${withTaints}`);
  const decide = (node: Parameters<typeof controlPlaneMark>[0]) => controlPlaneMark(node, taints);
  await markNode(await access.client(), name, decide, access.calls);
}
