import type { PolicyRule } from '@slipway/api';
import type { StoredObject } from '../contract.ts';
import { authenticatedGroup, unauthenticatedGroup } from './authenticator.ts';
import { mastersGroup } from './authorizer.ts';
import { aggregatedRoles } from './bootstrap-aggregated-roles.ts';
import { nodesGroup } from './node-identity.ts';
import { rbacGroup } from './rbac-index.ts';

const apiVersion = `${rbacGroup}/v1`;
const defaultTokenGroup = 'system:bootstrappers:kubeadm:default-node-token';
const csrGroup = 'certificates.k8s.io';
const nodeClient = 'system:certificates.k8s.io:certificatesigningrequests:nodeclient';
const selfNodeClient = 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient';

/** What upstream puts on the policy that the server itself owns. */
const owned = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};

type Ownership = Partial<typeof owned>;

function role(name: string, rules: readonly PolicyRule[], ownership: Ownership = owned) {
  return { apiVersion, kind: 'ClusterRole', metadata: { name, ...ownership }, rules };
}

function binding(
  name: string,
  roleName: string,
  groups: readonly string[],
  ownership: Ownership = owned,
) {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name, ...ownership },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: roleName },
    subjects: groups.map((group) => ({ apiGroup: rbacGroup, kind: 'Group', name: group })),
  };
}

function createOnly(group: string, ...resources: readonly string[]): PolicyRule {
  return { verbs: ['create'], apiGroups: [group], resources };
}

function readUrls(...nonResourceURLs: readonly string[]): PolicyRule {
  return { verbs: ['get'], nonResourceURLs };
}

function signerRole(name: string, verb: string, signer: string) {
  const rule = {
    verbs: [verb],
    apiGroups: [csrGroup],
    resources: ['signers'],
    resourceNames: [signer],
  };
  return role(name, [rule]);
}

const roles = [
  role('cluster-admin', [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]),
  role('system:discovery', [
    readUrls(
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
      '/healthz',
      '/livez',
      '/openapi',
      '/openapi/*',
      '/readyz',
      '/version',
      '/version/',
    ),
  ]),
  role('system:public-info-viewer', [
    readUrls('/healthz', '/livez', '/readyz', '/version', '/version/'),
  ]),
  role('system:basic-user', [
    createOnly('authorization.k8s.io', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
    createOnly('authentication.k8s.io', 'selfsubjectreviews'),
  ]),
  role('system:monitoring', [
    readUrls('/healthz', '/healthz/*', '/livez', '/livez/*', '/metrics', '/readyz', '/readyz/*'),
  ]),
  role('system:node-bootstrapper', [
    {
      verbs: ['create', 'get', 'list', 'watch'],
      apiGroups: [csrGroup],
      resources: ['certificatesigningrequests'],
    },
  ]),
  role(nodeClient, [createOnly(csrGroup, 'certificatesigningrequests/nodeclient')]),
  role(selfNodeClient, [createOnly(csrGroup, 'certificatesigningrequests/selfnodeclient')]),
  signerRole(
    'system:certificates.k8s.io:kube-apiserver-client-approver',
    'approve',
    'kubernetes.io/kube-apiserver-client',
  ),
  signerRole(
    'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver',
    'approve',
    'kubernetes.io/kube-apiserver-client-kubelet',
  ),
  signerRole(
    'system:certificates.k8s.io:kubelet-serving-approver',
    'approve',
    'kubernetes.io/kubelet-serving',
  ),
  signerRole(
    'system:certificates.k8s.io:legacy-unknown-approver',
    'approve',
    'kubernetes.io/legacy-unknown',
  ),
  ...aggregatedRoles.map(({ name, labels, rules, aggregates }) => ({
    ...role(name, rules, { ...owned, labels: { ...owned.labels, ...labels } }),
    ...(aggregates === undefined
      ? {}
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregates }] } }),
  })),
  role('kubeadm:get-nodes', [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }], {}),
];

const bindings = [
  binding('cluster-admin', 'cluster-admin', [mastersGroup]),
  binding('system:discovery', 'system:discovery', [authenticatedGroup]),
  binding('system:basic-user', 'system:basic-user', [authenticatedGroup]),
  binding('system:monitoring', 'system:monitoring', ['system:monitoring']),
  binding('system:public-info-viewer', 'system:public-info-viewer', [
    authenticatedGroup,
    unauthenticatedGroup,
  ]),
  binding('kubeadm:cluster-admins', 'cluster-admin', ['kubeadm:cluster-admins'], {}),
  binding('kubeadm:get-nodes', 'kubeadm:get-nodes', [defaultTokenGroup], {}),
  binding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', [defaultTokenGroup], {}),
  binding('kubeadm:node-autoapprove-bootstrap', nodeClient, [defaultTokenGroup], {}),
  binding('kubeadm:node-autoapprove-certificate-rotation', selfNodeClient, [nodesGroup], {}),
];

const clusterInfo = { name: 'kubeadm:bootstrap-signer-clusterinfo', namespace: 'kube-public' };

const namespaced = [
  {
    apiVersion,
    kind: 'Role',
    metadata: clusterInfo,
    rules: [
      {
        verbs: ['get'],
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['cluster-info'],
      },
    ],
  },
  {
    apiVersion,
    kind: 'RoleBinding',
    metadata: clusterInfo,
    roleRef: { apiGroup: rbacGroup, kind: 'Role', name: clusterInfo.name },
    subjects: [{ apiGroup: rbacGroup, kind: 'User', name: 'system:anonymous' }],
  },
];

/** Roles and bindings that exist from the first start: kube-apiserver's and kubeadm's, for what is served. */
export const bootstrapPolicy: readonly StoredObject[] = [...roles, ...bindings, ...namespaced];
