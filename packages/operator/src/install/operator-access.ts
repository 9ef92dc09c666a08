import {
  type ClusterRole,
  type ClusterRoleBinding,
  clusterRoleBindings,
  clusterRoles,
  machineConfigurationGroup,
} from '@slipway/api';
import type { KubeClient } from '@slipway/kube';
import { applyRole } from './apply-role.ts';
import { createMissing } from './create-missing.ts';

const roleName = 'slipway:operator';
const rbacGroup = 'rbac.authorization.k8s.io';
const read = ['get', 'list', 'watch'];
const write = ['create', 'update', 'patch'];

/** All that the operator does in a cluster, and nothing else; it holds what it grants to daemons. */
const operatorRole: ClusterRole = {
  apiVersion: `${rbacGroup}/v1`,
  kind: clusterRoles.kind,
  metadata: { name: roleName },
  rules: [
    {
      apiGroups: [machineConfigurationGroup],
      resources: ['*'],
      verbs: [...read, ...write, 'delete'],
    },
    { apiGroups: [''], resources: ['nodes', 'nodes/status'], verbs: [...read, 'patch'] },
    { apiGroups: [''], resources: ['pods'], verbs: read },
    { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
    { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: read },
    { apiGroups: [''], resources: ['events'], verbs: ['get', ...write] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: [...read, ...write] },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      verbs: [...read, ...write],
    },
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['validatingwebhookconfigurations'],
      verbs: ['get', ...write],
    },
    {
      apiGroups: [rbacGroup],
      resources: ['clusterroles', 'clusterrolebindings'],
      verbs: ['get', ...write],
    },
  ],
};

/**
 * Gives the user that the operator comes as its rights. To be called by an administrator before the
 * operator starts: nobody can grant himself what he does not have.
 */
export async function applyOperatorAccess(
  administrator: KubeClient,
  operatorUser: string,
): Promise<void> {
  const binding: ClusterRoleBinding = {
    apiVersion: `${rbacGroup}/v1`,
    kind: clusterRoleBindings.kind,
    metadata: { name: roleName },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: roleName },
    subjects: [{ kind: 'User', name: operatorUser, apiGroup: rbacGroup }],
  };
  await applyRole(administrator, operatorRole);
  await createMissing(administrator, clusterRoleBindings, binding);
}
