import type { PolicyRule } from '@slipway/api';

/** A ClusterRole that aggregates others, or is aggregated. */
export type AggregatedRole = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  /** Labels of the roles that it takes its rules from. */
  readonly aggregates?: Readonly<Record<string, string>>;
};

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const prefix = 'rbac.authorization.k8s.io/aggregate-to-';

function label(level: string): Readonly<Record<string, string>> {
  return { [`${prefix}${level}`]: 'true' };
}

function rule(
  verbs: readonly string[],
  apiGroup: string,
  ...resources: readonly string[]
): PolicyRule {
  return { verbs, apiGroups: [apiGroup], resources };
}

const workloads = [
  'daemonsets',
  'deployments',
  'deployments/scale',
  'replicasets',
  'replicasets/scale',
  'statefulsets',
  'statefulsets/scale',
];

const viewRules: readonly PolicyRule[] = [
  rule(
    read,
    '',
    'configmaps',
    'endpoints',
    'events',
    'namespaces',
    'namespaces/status',
    'pods',
    'pods/status',
    'serviceaccounts',
    'services',
    'services/status',
  ),
  rule(read, 'apps', ...workloads),
  rule(read, 'policy', 'poddisruptionbudgets', 'poddisruptionbudgets/status'),
];

const editRules: readonly PolicyRule[] = [
  rule(read, '', 'secrets'),
  rule(['impersonate'], '', 'serviceaccounts'),
  rule(['create'], '', 'pods/eviction', 'serviceaccounts/token'),
  rule(write, '', 'configmaps', 'events', 'pods', 'secrets', 'serviceaccounts', 'services'),
  rule(write, 'apps', ...workloads),
  rule(write, 'policy', 'poddisruptionbudgets'),
  rule([...write, ...read], 'coordination.k8s.io', 'leases'),
];

const adminRules: readonly PolicyRule[] = [
  rule(['create'], 'authorization.k8s.io', 'localsubjectaccessreviews'),
  rule([...write, ...read], 'rbac.authorization.k8s.io', 'rolebindings', 'roles'),
];

/** `admin`, `edit` and `view`, and the roles that they are made of. */
export const aggregatedRoles: readonly AggregatedRole[] = [
  { name: 'admin', labels: {}, rules: [], aggregates: label('admin') },
  { name: 'edit', labels: label('admin'), rules: [], aggregates: label('edit') },
  { name: 'view', labels: label('edit'), rules: [], aggregates: label('view') },
  { name: 'system:aggregate-to-admin', labels: label('admin'), rules: adminRules },
  { name: 'system:aggregate-to-edit', labels: label('edit'), rules: editRules },
  { name: 'system:aggregate-to-view', labels: label('view'), rules: viewRules },
];
