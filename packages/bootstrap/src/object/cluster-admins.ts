import { clusterRoleBinding } from './access.ts';
import type { ClusterObject } from './cluster-object.ts';

/** Group of admin.conf, and name of the binding that gives it its rights. */
export const clusterAdminsName = 'kubeadm:cluster-admins';

/** Makes whoever comes with admin.conf an administrator. */
export function clusterAdminsBinding(): ClusterObject {
  return clusterRoleBinding(clusterAdminsName, 'cluster-admin', {
    kind: 'Group',
    name: clusterAdminsName,
  });
}
