import { apiVersionOf, type KubeObject, type Resource } from '@slipway/api';

/** An object that a cluster shall have, and where it lives. Made by pure builders, written by `applyObjects`. */
export type ClusterObject = {
  readonly resource: Resource<KubeObject>;
  readonly object: KubeObject;
  /** What becomes of one that exists; default: it is brought to this form. */
  readonly ifPresent?: Presence | ((live: KubeObject) => Presence);
};

/** An object that exists is brought to the wanted form, or left as its owner made it. */
export type Presence = 'update' | 'keep';

/** `content` as an object of the resource, with its apiVersion and kind. */
export function clusterObject<T extends KubeObject>(
  resource: Resource<T>,
  content: T,
  ifPresent: Presence | ((live: T) => Presence) = 'update',
): ClusterObject {
  const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...content };
  // What is read from the resource is of its type.
  return { resource, object, ifPresent: ifPresent as ClusterObject['ifPresent'] & {} };
}

/** `Deployment kube-system/coredns`: how messages name an object. */
export function describeObject({ resource, object }: ClusterObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return `${resource.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
