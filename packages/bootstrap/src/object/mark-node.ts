import { type Node, nodes } from '@slipway/api';
import { describeError, TerminalError } from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import type { BootstrapErrorCode } from '../errors.ts';
import type { NodePatch } from './node-mark.ts';
import { type ApiCallOptions, retryApiCall } from './retry-api-call.ts';

/**
 * Reads the node, asks `decide` what to change, and changes it; again when somebody else wrote in
 * between, and until the kubelet has registered the node. Returns whether anything was changed.
 */
export async function markNode(
  client: KubeClient,
  nodeName: string,
  decide: (node: Node) => NodePatch | undefined,
  options: ApiCallOptions,
): Promise<boolean> {
  try {
    return await retryApiCall(async () => {
      const body = decide(await client.get(nodes, nodeName));
      if (body === undefined) return false;
      await client.patch(nodes, nodeName, { type: 'merge', body });
      return true;
    }, options);
  } catch (cause) {
    if (options.signal?.aborted === true) throw cause;
    const code: BootstrapErrorCode = 'bootstrap.node.not-marked';
    throw new TerminalError(`mark node ${nodeName}: ${describeError(cause)}`, { code, cause });
  }
}
