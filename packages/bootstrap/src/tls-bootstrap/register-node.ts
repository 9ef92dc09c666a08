import { type Node, nodes } from '@slipway/api';
import { isAlreadyExists, type KubeClient } from '@slipway/kube';

export type NodeRegistrationRequest = {
  /** As the node itself: nobody else may create its Node. */
  readonly client: KubeClient;
  readonly nodeName: string;
  /** Labels that a node may give itself; default only `kubernetes.io/hostname`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly {
    readonly key: string;
    readonly value?: string;
    readonly effect: string;
  }[];
  readonly signal?: AbortSignal;
};

/** Creates the Node of a joined host as the host itself, as its kubelet would. Done again it gives what is there. */
export async function registerNode(request: NodeRegistrationRequest): Promise<Node> {
  const { client, nodeName, labels = {}, taints = [], signal } = request;
  const options = signal === undefined ? {} : { signal };
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeName, labels: { 'kubernetes.io/hostname': nodeName, ...labels } },
    ...(taints.length === 0 ? {} : { spec: { taints: [...taints] } }),
  };
  try {
    return await client.create(nodes, node, options);
  } catch (error) {
    if (isAlreadyExists(error)) return await client.get(nodes, nodeName, options);
    throw error;
  }
}
