import type { KubeObject, Resource } from '@slipway/api';
import { BugError } from '@slipway/base';
import type { ListOptions, ObjectKey } from './kube-client.ts';

type AnyResource = Resource<unknown>;

function segment(value: string | undefined, what: string, resource: AnyResource): string {
  // An empty or dotted segment would silently address another thing: the collection, or its parent.
  if (value === undefined || value === '' || value === '.' || value === '..') {
    throw new BugError(`address ${resource.plural}: ${what} is missing`, {
      code: 'kube.bad-request',
    });
  }
  return encodeURIComponent(value);
}

function root(resource: AnyResource): string {
  const { group, version } = resource;
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** Path of all objects of a resource, in one namespace or everywhere. */
export function collectionPath(resource: AnyResource, namespace?: string): string {
  if (!resource.namespaced || namespace === undefined)
    return `${root(resource)}/${resource.plural}`;
  const name = segment(namespace, 'the namespace', resource);
  return `${root(resource)}/namespaces/${name}/${resource.plural}`;
}

/** Path of one object or of its subresource. */
export function objectPath(resource: AnyResource, key: ObjectKey, subresource?: string): string {
  const { namespace, name } = typeof key === 'string' ? { namespace: undefined, name: key } : key;
  const collection = resource.namespaced
    ? collectionPath(resource, requireNamespace(resource, namespace))
    : collectionPath(resource);
  const tail =
    subresource === undefined ? '' : `/${segment(subresource, 'a subresource', resource)}`;
  return `${collection}/${segment(name, 'a name', resource)}${tail}`;
}

/** Path to which an object is posted. */
export function creationPath(resource: AnyResource, object: KubeObject): string {
  if (!resource.namespaced) return collectionPath(resource);
  return collectionPath(resource, requireNamespace(resource, object.metadata?.namespace));
}

function requireNamespace(resource: AnyResource, namespace: string | undefined): string {
  if (namespace !== undefined) return namespace;
  throw new BugError(`address ${resource.plural}: the namespace is missing`, {
    code: 'kube.bad-request',
  });
}

/** Where an object is, by its own metadata. */
export function keyOf(resource: AnyResource, object: KubeObject): ObjectKey {
  const name = object.metadata?.name ?? '';
  if (!resource.namespaced) return name;
  return { namespace: requireNamespace(resource, object.metadata?.namespace), name };
}

/** A path with those query parameters that have a value. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The query parameters that list and watch have in common. */
export function selection(options: ListOptions): Readonly<Record<string, string | undefined>> {
  const { labelSelector, fieldSelector, resourceVersion } = options;
  return { labelSelector, fieldSelector, resourceVersion };
}
