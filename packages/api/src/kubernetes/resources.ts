import type { KubeObject } from '../object-meta.ts';
import type { Resource } from '../resource.ts';
import type {
  CertificateSigningRequest,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  DaemonSet,
  KubeEvent,
  Lease,
  Namespace,
  Node,
  Pod,
  PodDisruptionBudget,
  SecretObject,
  ValidatingWebhookConfiguration,
} from './types.ts';

function core<T extends KubeObject>(
  kind: string,
  plural: string,
  namespaced: boolean,
): Resource<T> {
  return { group: '', version: 'v1', kind, plural, namespaced };
}

function v1<T extends KubeObject>(
  group: string,
  kind: string,
  plural: string,
  namespaced: boolean,
): Resource<T> {
  return { group, version: 'v1', kind, plural, namespaced };
}

export const namespaces = core<Namespace>('Namespace', 'namespaces', false);
export const nodes = core<Node>('Node', 'nodes', false);
export const pods = core<Pod>('Pod', 'pods', true);
export const configMaps = core<ConfigMap>('ConfigMap', 'configmaps', true);
export const secrets = core<SecretObject>('Secret', 'secrets', true);
export const events = core<KubeEvent>('Event', 'events', true);
export const daemonSets = v1<DaemonSet>('apps', 'DaemonSet', 'daemonsets', true);
export const leases = v1<Lease>('coordination.k8s.io', 'Lease', 'leases', true);
export const podDisruptionBudgets = v1<PodDisruptionBudget>(
  'policy',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  true,
);
export const certificateSigningRequests = v1<CertificateSigningRequest>(
  'certificates.k8s.io',
  'CertificateSigningRequest',
  'certificatesigningrequests',
  false,
);
export const clusterRoles = v1<ClusterRole>(
  'rbac.authorization.k8s.io',
  'ClusterRole',
  'clusterroles',
  false,
);
export const clusterRoleBindings = v1<ClusterRoleBinding>(
  'rbac.authorization.k8s.io',
  'ClusterRoleBinding',
  'clusterrolebindings',
  false,
);
export const customResourceDefinitions = v1<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'CustomResourceDefinition',
  'customresourcedefinitions',
  false,
);
export const validatingWebhookConfigurations = v1<ValidatingWebhookConfiguration>(
  'admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
  false,
);
