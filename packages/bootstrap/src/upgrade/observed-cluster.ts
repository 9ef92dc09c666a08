/** Programs of a cluster that run per node. */
export type NodeComponent =
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'etcd'
  | 'kubelet';

/** The static pods of a control plane, in the order in which a plan lists them. */
export const controlPlanePods = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'etcd',
] as const satisfies readonly NodeComponent[];

/** A program on a node and its version as its image or its node tells it: `v1.37.2`, `3.6.8-0`. */
export type ObservedComponent = {
  readonly component: NodeComponent;
  readonly node: string;
  readonly version: string;
};

/** API group and version of a component configuration that the cluster or a file holds. */
export type ObservedConfiguration = { readonly group: string; readonly version: string };

/** What was found out about a cluster before an upgrade. */
export type ObservedCluster = {
  readonly components: readonly ObservedComponent[];
  /** What an API server answers to `/version`: counts where no component tells it. */
  readonly serverVersion?: string;
  /** Version of the image; undefined: not known, or there is none. */
  readonly kubeProxy?: string;
  readonly coreDns?: string;
  readonly configurations: readonly ObservedConfiguration[];
  /** Something that an upgrade should not meet, such as a control plane that is not ready. */
  readonly problems: readonly string[];
  /** What could not be found out, and why. */
  readonly unknown: readonly string[];
};

/** Tag of an image reference; undefined when it has none. */
export function imageTag(image: string): string | undefined {
  const [reference = ''] = image.split('@');
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const colon = name.indexOf(':');
  return colon < 0 ? undefined : name.slice(colon + 1);
}
