import { clusterRole, clusterRoleBinding, joinedNodes, joiningNodes } from './access.ts';
import type { ClusterObject } from './cluster-object.ts';

const signing = 'system:certificates.k8s.io:certificatesigningrequests';

/** From this minor on the API server comes to kubelets as a user of its own, who needs the right. */
const kubeletClientBindingSince = 36;

/**
 * What nodes with a bootstrap token may do, whose signing requests are approved without a person, and
 * that the API server may talk to kubelets. `minor` is the 37 of v1.37.2.
 */
export function bootstrapAccessObjects(minor: number): readonly ClusterObject[] {
  const objects = [
    clusterRole('kubeadm:get-nodes', [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]),
    clusterRoleBinding('kubeadm:get-nodes', 'kubeadm:get-nodes', joiningNodes),
    clusterRoleBinding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', joiningNodes),
    clusterRoleBinding('kubeadm:node-autoapprove-bootstrap', `${signing}:nodeclient`, joiningNodes),
    clusterRoleBinding(
      'kubeadm:node-autoapprove-certificate-rotation',
      `${signing}:selfnodeclient`,
      joinedNodes,
    ),
  ];
  if (minor < kubeletClientBindingSince) return objects;
  const apiServer = { kind: 'User', name: 'kube-apiserver-kubelet-client' } as const;
  return [
    ...objects,
    clusterRoleBinding('kubeadm:apiserver-kubelet-client', 'system:kubelet-api-admin', apiServer),
  ];
}
