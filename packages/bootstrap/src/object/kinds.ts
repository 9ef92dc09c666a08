import type { KubeObject, PolicyRule, Resource } from '@slipway/api';
import type { JsonObject } from '@slipway/base';

/** Kinds of the built-in API that only bootstrap writes. */

/** Whom a binding gives its rights; a User or a Group is of rbac.authorization.k8s.io. */
export type RbacSubject =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string };

export type Role = KubeObject & { readonly rules: readonly PolicyRule[] };

export type RoleBinding = KubeObject & {
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects: readonly RbacSubject[];
};

export type Service = KubeObject & { readonly spec: JsonObject };

/** Deployment or DaemonSet. */
export type Workload = KubeObject & { readonly spec: JsonObject };

export const rbacGroup = 'rbac.authorization.k8s.io';

export const roles: Resource<Role> = {
  group: rbacGroup,
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
};

export const roleBindings: Resource<RoleBinding> = {
  group: rbacGroup,
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

export const serviceAccounts: Resource<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};

export const services: Resource<Service> = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
};

export const deployments: Resource<Workload> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
