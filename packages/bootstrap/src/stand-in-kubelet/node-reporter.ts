import { type Node, nodes } from '@slipway/api';
import type { Clock } from '@slipway/base';
import { isAlreadyExists, isNotFound, type KubeClient } from '@slipway/kube';
import {
  type KubeletPhase,
  type NodeDescription,
  nodeConditions,
  nodeLabels,
  nodeStatus,
} from './node-description.ts';

/** Writes one host's Node: the object itself, its well-known labels and its status. */
export interface NodeReporter {
  /** Creates the Node where it is missing and writes labels and status. */
  report(phase: KubeletPhase): Promise<Node>;
}

export function createNodeReporter(
  client: KubeClient,
  description: NodeDescription,
  clock: Clock,
): NodeReporter {
  const { nodeName } = description;

  async function existing(): Promise<Node> {
    try {
      return await client.get(nodes, nodeName);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    const labels = nodeLabels(description);
    try {
      return await client.create(nodes, { metadata: { name: nodeName, labels }, spec: {} });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return await client.get(nodes, nodeName);
    }
  }

  return {
    async report(phase) {
      const node = await existing();
      const wanted = Object.entries(nodeLabels(description));
      const labels = node.metadata?.labels ?? {};
      if (wanted.some(([key, value]) => labels[key] !== value)) {
        const body = { metadata: { labels: Object.fromEntries(wanted) } };
        await client.patch(nodes, nodeName, { type: 'merge', body });
      }
      const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
      const conditions = nodeConditions(phase, node.status?.conditions ?? [], now);
      const body = { status: nodeStatus(description, conditions) };
      return await client.patch(
        nodes,
        nodeName,
        { type: 'merge', body },
        { subresource: 'status' },
      );
    },
  };
}
