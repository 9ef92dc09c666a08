import {
  type ClusterRole,
  type ClusterRoleBinding,
  clusterRoleBindings,
  clusterRoles,
  machineConfigNodes,
  machineConfigs,
  machineConfigurationGroup,
  machineConfigurations,
} from '@slipway/api';
import type { KubeClient } from '@slipway/kube';
import { applyRole } from './apply-role.ts';
import { createMissing } from './create-missing.ts';

const roleName = 'slipway:daemon';
const groups = [machineConfigurationGroup];

/**
 * What a daemon may do beyond what Kubernetes lets every kubelet do with its own Node: read
 * configurations by name and the policy, and write its own MachineConfigNode (admission holds it to its
 * own) and Events.
 */
export const daemonRole: ClusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: clusterRoles.kind,
  metadata: { name: roleName },
  rules: [
    {
      apiGroups: groups,
      resources: [machineConfigs.plural, machineConfigurations.plural],
      verbs: ['get'],
    },
    {
      apiGroups: groups,
      resources: [machineConfigNodes.plural, `${machineConfigNodes.plural}/status`],
      verbs: ['get', 'create', 'update', 'patch'],
    },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  ],
};

export const daemonBinding: ClusterRoleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: clusterRoleBindings.kind,
  metadata: { name: roleName },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName },
  subjects: [{ kind: 'Group', name: 'system:nodes', apiGroup: 'rbac.authorization.k8s.io' }],
};

/** Gives daemons, which come as their node, the rights they need. */
export async function applyAccess(client: KubeClient): Promise<void> {
  await applyRole(client, daemonRole);
  await createMissing(client, clusterRoleBindings, daemonBinding);
}
