/** Where a kind lives in the API: all that a client needs to build a path. `T` is the object's type. */
export type Resource<T> = {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural, as in the path. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set: it only carries the type. */
  readonly object?: T;
};

/** `apiVersion` of a resource: `v1`, `apps/v1`. */
export function apiVersionOf(resource: Resource<unknown>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}
