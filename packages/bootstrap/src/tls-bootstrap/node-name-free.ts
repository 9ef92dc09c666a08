import { type Node, nodes } from '@slipway/api';
import { TerminalError } from '@slipway/base';
import { isNotFound, type KubeClient } from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';

/**
 * Refuses to join under the name of a Node that is Ready: another machine has it, and would lose its
 * identity. Throws a TerminalError then, and what the client throws when it cannot be found out.
 */
export async function checkNodeNameFree(
  client: KubeClient,
  nodeName: string,
  signal?: AbortSignal,
): Promise<void> {
  const node = await findNode(client, nodeName, signal);
  if (node === undefined || !isReady(node)) return;
  const code: BootstrapErrorCode = 'bootstrap.node.exists';
  throw new TerminalError(
    `join as ${nodeName}: a Node of this name is Ready; give this host another name, or delete the ` +
      `Node when its machine is gone`,
    { code },
  );
}

async function findNode(
  client: KubeClient,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Node | undefined> {
  try {
    return await client.get(nodes, name, signal === undefined ? {} : { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isReady(node: Node): boolean {
  const conditions = node.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
