import { clusterRoleBindings, clusterRoles, type PolicyRule } from '@slipway/api';
import { defaultTokenGroup } from '@slipway/pki';
import { type ClusterObject, clusterObject } from './cluster-object.ts';
import { type RbacSubject, rbacGroup, roleBindings, roles } from './kinds.ts';

/** Nodes that come with a bootstrap token. */
export const joiningNodes: RbacSubject = { kind: 'Group', name: defaultTokenGroup };

/** Nodes that have joined. */
export const joinedNodes: RbacSubject = { kind: 'Group', name: 'system:nodes' };

/** The one object that a Role lets its subjects read. */
export type ReadableObject = {
  readonly namespace: string;
  readonly plural: 'configmaps' | 'secrets';
  readonly name: string;
};

/** Role and RoleBinding of one name that let `subjects` get one object and nothing else. */
export function readAccess(
  accessName: string,
  { namespace, plural, name }: ReadableObject,
  subjects: readonly RbacSubject[],
): readonly ClusterObject[] {
  const metadata = { name: accessName, namespace };
  const rule = { apiGroups: [''], resources: [plural], resourceNames: [name], verbs: ['get'] };
  const roleRef = { apiGroup: rbacGroup, kind: 'Role', name: accessName };
  return [
    clusterObject(roles, { metadata, rules: [rule] }),
    clusterObject(roleBindings, { metadata, roleRef, subjects }),
  ];
}

export function clusterRole(name: string, rules: readonly PolicyRule[]): ClusterObject {
  return clusterObject(clusterRoles, { metadata: { name }, rules });
}

/** Gives a ClusterRole to one subject. */
export function clusterRoleBinding(
  name: string,
  roleName: string,
  subject: RbacSubject,
): ClusterObject {
  return clusterObject(clusterRoleBindings, {
    metadata: { name },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: roleName },
    subjects: [subject],
  });
}
