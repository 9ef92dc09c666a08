import {
  type AnnotationPatch,
  type DrainRequest,
  encodeDrainApplied,
  encodePriorCordon,
  type Node,
  nodes,
} from '@slipway/api';
import { TransientError } from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import type { OperatorErrorCode } from '../errors.ts';

type CordonPatch = { readonly unschedulable: boolean; readonly annotations: AnnotationPatch };

/** Bound to what was read: whoever came between makes the write fail with a conflict, and we look again. */
async function patchNode(client: KubeClient, node: Node, patch: CordonPatch): Promise<Node> {
  const body = {
    metadata: {
      resourceVersion: node.metadata?.resourceVersion,
      annotations: patch.annotations,
    },
    spec: { unschedulable: patch.unschedulable ? true : null },
  };
  return client.patch(nodes, node.metadata?.name ?? '', { type: 'merge', body });
}

/** Cordons, remembering whether somebody else had, and reads the node again to be sure. */
export async function cordon(client: KubeClient, node: Node, prior: boolean): Promise<Node> {
  await patchNode(client, node, { unschedulable: true, annotations: encodePriorCordon(prior) });
  const name = node.metadata?.name ?? '';
  const live = await client.get(nodes, name);
  if (live.spec?.unschedulable === true) return live;
  const code: OperatorErrorCode = 'operator.cordon-lost';
  throw new TransientError(`cordon ${name}: it was uncordoned at once`, { code });
}

/** Acknowledges that the node is empty, on condition that it is still cordoned as it was read. */
export async function acknowledgeDrain(
  client: KubeClient,
  node: Node,
  request: DrainRequest,
): Promise<Node> {
  return patchNode(client, node, { unschedulable: true, annotations: encodeDrainApplied(request) });
}

/** Takes our cordon off and forgets it; `keepCordon` leaves the one of somebody else. */
export async function releaseCordon(
  client: KubeClient,
  node: Node,
  options: { readonly keepCordon: boolean; readonly acknowledge?: DrainRequest },
): Promise<Node> {
  const { keepCordon, acknowledge } = options;
  const applied = acknowledge === undefined ? {} : encodeDrainApplied(acknowledge);
  const annotations = { ...encodePriorCordon(undefined), ...applied };
  return patchNode(client, node, { unschedulable: keepCordon, annotations });
}
