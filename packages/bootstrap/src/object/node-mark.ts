import { type Node, nodeRoleLabel, type Taint } from '@slipway/api';
import { jsonEqual } from '@slipway/base';

/** Labels that every control plane carries; all with an empty value. */
export const controlPlaneLabels: readonly string[] = [
  nodeRoleLabel.controlPlane,
  'node.kubernetes.io/exclude-from-external-load-balancers',
];

/** Annotation of a Node with its container runtime endpoint, where instance-config.yaml is not used. */
export const criSocketAnnotation = 'kubeadm.alpha.kubernetes.io/cri-socket';

/** A JSON merge patch of a Node. */
export type NodePatch = {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly resourceVersion?: string;
  };
  readonly spec?: { readonly taints: readonly Taint[] };
};

/**
 * What to change so that the node carries the labels of a control plane and `taints`; undefined when it
 * does already. Taints of others stay. The patch is bound to the version of the node that was read,
 * because a list is replaced as a whole.
 */
export function controlPlaneMark(node: Node, taints: readonly Taint[]): NodePatch | undefined {
  const labels = node.metadata?.labels ?? {};
  const missingLabels = controlPlaneLabels.filter((label) => labels[label] !== '');
  const present = node.spec?.taints ?? [];
  const missingTaints = taints.filter((taint) => !present.some((each) => jsonEqual(each, taint)));
  if (missingLabels.length === 0 && missingTaints.length === 0) return undefined;
  const resourceVersion = node.metadata?.resourceVersion;
  return {
    metadata: {
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      labels: Object.fromEntries(missingLabels.map((label) => [label, ''])),
    },
    ...(missingTaints.length === 0 ? {} : { spec: { taints: [...missingTaints, ...present] } }),
  };
}

/** What to change so that the node is annotated with its container runtime endpoint; undefined when it is. */
export function criSocketMark(node: Node, criSocket: string): NodePatch | undefined {
  if (node.metadata?.annotations?.[criSocketAnnotation] === criSocket) return undefined;
  return { metadata: { annotations: { [criSocketAnnotation]: criSocket } } };
}
