import type { Clock } from '@slipway/base';
import type { PrinterColumn, ResourceDefinition, StoredObject, Strategy } from '../contract.ts';
import { builtinSchema } from './builtin-schema.ts';
import {
  defaultBinding,
  defaultCustomResourceDefinition,
  defaultNamespace,
  defaultSecret,
  defaultWebhooks,
} from './defaults/cluster-defaults.ts';
import type { Draft } from './defaults/draft.ts';
import { defaultPod } from './defaults/pod-defaults.ts';
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
} from './defaults/workload-defaults.ts';
import {
  bindingColumns,
  budgetColumns,
  configMapColumns,
  createdColumns,
  eventColumns,
  leaseColumns,
  namespaceColumns,
  requestColumns,
  secretColumns,
  serviceAccountColumns,
  webhookColumns,
} from './printers/cluster-columns.ts';
import { nodeColumns } from './printers/node-columns.ts';
import { podColumns } from './printers/pod-columns.ts';
import {
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
} from './printers/workload-columns.ts';
import { readPath, readText } from './read-path.ts';
import {
  bindingStrategy,
  budgetStrategy,
  configMapStrategy,
  eventStrategy,
  leaseStrategy,
  namespaceStrategy,
  nodeStrategy,
  roleStrategy,
  secretStrategy,
} from './strategies/object-strategies.ts';
import { podStrategy } from './strategies/pod-strategy.ts';
import { requestStrategy } from './strategies/request-strategy.ts';
import { workloadStrategy } from './strategies/workload-strategy.ts';

type Kind = {
  readonly group?: string;
  /** Go package of the type, in reverse-domain spelling. */
  readonly package: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly clusterScoped?: true;
  readonly subresources?: readonly string[];
  readonly generation?: true;
  readonly columns: readonly PrinterColumn[];
  readonly fields?: ResourceDefinition['selectableFields'];
  readonly defaults?: (draft: Draft) => void;
  readonly strategy?: Strategy;
  readonly warning?: string;
  readonly nameRule?: ResourceDefinition['nameRule'];
  readonly createOnUpdate?: true;
  readonly guarded?: true;
};

const allVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

const field =
  (...path: readonly string[]) =>
  (object: StoredObject) => {
    const value = readPath(object, ...path);
    return value === undefined || value === null ? '' : String(value);
  };

function define(kind: Kind): ResourceDefinition {
  const group = kind.group ?? '';
  return {
    group,
    version: 'v1',
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    plural: kind.plural,
    singular: kind.kind.toLowerCase(),
    shortNames: kind.shortNames ?? [],
    categories: kind.categories ?? [],
    namespaced: kind.clusterScoped !== true,
    verbs: allVerbs,
    subresources: kind.subresources ?? [],
    schema: builtinSchema({
      typeName: `${kind.package}.${kind.kind}`,
      group,
      version: 'v1',
      kind: kind.kind,
      ...(kind.defaults === undefined ? {} : { defaults: kind.defaults }),
    }),
    columns: kind.columns,
    selectableFields: kind.fields ?? {},
    custom: false,
    hasGeneration: kind.generation === true,
    ...(kind.strategy === undefined ? {} : { strategy: kind.strategy }),
    ...(kind.warning === undefined ? {} : { warning: kind.warning }),
    ...(kind.nameRule === undefined ? {} : { nameRule: kind.nameRule }),
    createOnUpdate: kind.createOnUpdate === true,
    unconditionalUpdate: kind.guarded !== true,
  };
}

const core = 'io.k8s.api.core.v1';

const podFields = {
  'spec.nodeName': field('spec', 'nodeName'),
  'spec.restartPolicy': field('spec', 'restartPolicy'),
  'spec.schedulerName': field('spec', 'schedulerName'),
  'spec.serviceAccountName': field('spec', 'serviceAccountName'),
  'spec.hostNetwork': (pod: StoredObject) => String(readPath(pod, 'spec', 'hostNetwork') === true),
  'status.phase': field('status', 'phase'),
  'status.podIP': field('status', 'podIP'),
  'status.nominatedNodeName': field('status', 'nominatedNodeName'),
};

const eventFields = {
  'involvedObject.kind': field('involvedObject', 'kind'),
  'involvedObject.namespace': field('involvedObject', 'namespace'),
  'involvedObject.name': field('involvedObject', 'name'),
  'involvedObject.uid': field('involvedObject', 'uid'),
  'involvedObject.apiVersion': field('involvedObject', 'apiVersion'),
  'involvedObject.resourceVersion': field('involvedObject', 'resourceVersion'),
  'involvedObject.fieldPath': field('involvedObject', 'fieldPath'),
  reason: field('reason'),
  reportingComponent: field('reportingComponent'),
  source: (event: StoredObject) =>
    readText(event, 'source', 'component') || readText(event, 'reportingComponent'),
  type: field('type'),
};

function coreKinds(clock: Clock): readonly Kind[] {
  return [
    {
      package: core,
      kind: 'ConfigMap',
      plural: 'configmaps',
      shortNames: ['cm'],
      columns: configMapColumns(clock),
      strategy: configMapStrategy,
    },
    {
      package: core,
      kind: 'Event',
      plural: 'events',
      shortNames: ['ev'],
      columns: eventColumns(clock),
      fields: eventFields,
      strategy: eventStrategy,
      createOnUpdate: true,
    },
    {
      package: core,
      kind: 'Namespace',
      plural: 'namespaces',
      shortNames: ['ns'],
      clusterScoped: true,
      subresources: ['status', 'finalize'],
      columns: namespaceColumns(clock),
      fields: { 'status.phase': field('status', 'phase') },
      defaults: defaultNamespace,
      strategy: namespaceStrategy,
      nameRule: 'label',
    },
    {
      package: core,
      kind: 'Node',
      plural: 'nodes',
      shortNames: ['no'],
      clusterScoped: true,
      subresources: ['status'],
      columns: nodeColumns(clock),
      fields: {
        'spec.unschedulable': (node) => String(readPath(node, 'spec', 'unschedulable') === true),
      },
      strategy: nodeStrategy,
    },
    {
      package: core,
      kind: 'Pod',
      plural: 'pods',
      shortNames: ['po'],
      categories: ['all'],
      subresources: ['status', 'eviction'],
      columns: podColumns(clock),
      fields: podFields,
      defaults: defaultPod,
      strategy: podStrategy,
      generation: true,
    },
    {
      package: core,
      kind: 'Secret',
      plural: 'secrets',
      columns: secretColumns(clock),
      fields: { type: field('type') },
      defaults: defaultSecret,
      strategy: secretStrategy,
    },
    {
      package: core,
      kind: 'ServiceAccount',
      plural: 'serviceaccounts',
      shortNames: ['sa'],
      columns: serviceAccountColumns(clock),
    },
  ];
}

const notRun = (kind: string) =>
  `slipway's embedded API server stores this ${kind} but runs no workloads: no pods will be created`;

function workloadKinds(clock: Clock): readonly Kind[] {
  const shared = {
    group: 'apps',
    package: 'io.k8s.api.apps.v1',
    categories: ['all'],
    subresources: ['status'],
    generation: true,
    strategy: workloadStrategy,
  } as const;
  return [
    {
      ...shared,
      kind: 'DaemonSet',
      plural: 'daemonsets',
      shortNames: ['ds'],
      columns: daemonSetColumns(clock),
      defaults: defaultDaemonSet,
      warning: notRun('DaemonSet'),
    },
    {
      ...shared,
      kind: 'Deployment',
      plural: 'deployments',
      shortNames: ['deploy'],
      columns: deploymentColumns(clock),
      defaults: defaultDeployment,
      warning: notRun('Deployment'),
    },
    {
      ...shared,
      kind: 'ReplicaSet',
      plural: 'replicasets',
      shortNames: ['rs'],
      columns: replicaSetColumns(clock),
      defaults: defaultReplicaSet,
      warning: notRun('ReplicaSet'),
    },
  ];
}

function rbacKinds(clock: Clock): readonly Kind[] {
  const shared = {
    group: 'rbac.authorization.k8s.io',
    package: 'io.k8s.api.rbac.v1',
    nameRule: 'path',
    createOnUpdate: true,
  } as const;
  return [
    {
      ...shared,
      kind: 'ClusterRole',
      plural: 'clusterroles',
      clusterScoped: true,
      columns: createdColumns,
      strategy: roleStrategy,
    },
    {
      ...shared,
      kind: 'ClusterRoleBinding',
      plural: 'clusterrolebindings',
      clusterScoped: true,
      columns: bindingColumns(clock),
      defaults: defaultBinding,
      strategy: bindingStrategy,
    },
    { ...shared, kind: 'Role', plural: 'roles', columns: createdColumns, strategy: roleStrategy },
    {
      ...shared,
      kind: 'RoleBinding',
      plural: 'rolebindings',
      columns: bindingColumns(clock),
      defaults: defaultBinding,
      strategy: bindingStrategy,
    },
  ];
}

function otherKinds(clock: Clock): readonly Kind[] {
  return [
    {
      group: 'admissionregistration.k8s.io',
      package: 'io.k8s.api.admissionregistration.v1',
      kind: 'ValidatingWebhookConfiguration',
      plural: 'validatingwebhookconfigurations',
      categories: ['api-extensions'],
      clusterScoped: true,
      generation: true,
      columns: webhookColumns(clock),
      defaults: defaultWebhooks,
    },
    {
      group: 'apiextensions.k8s.io',
      package: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      clusterScoped: true,
      subresources: ['status'],
      generation: true,
      columns: createdColumns,
      defaults: defaultCustomResourceDefinition,
      guarded: true,
    },
    {
      group: 'certificates.k8s.io',
      package: 'io.k8s.api.certificates.v1',
      kind: 'CertificateSigningRequest',
      plural: 'certificatesigningrequests',
      shortNames: ['csr'],
      clusterScoped: true,
      subresources: ['approval', 'status'],
      columns: requestColumns(clock),
      fields: { 'spec.signerName': field('spec', 'signerName') },
      strategy: requestStrategy,
    },
    {
      group: 'coordination.k8s.io',
      package: 'io.k8s.api.coordination.v1',
      kind: 'Lease',
      plural: 'leases',
      columns: leaseColumns(clock),
      strategy: leaseStrategy,
      createOnUpdate: true,
      guarded: true,
    },
    {
      group: 'policy',
      package: 'io.k8s.api.policy.v1',
      kind: 'PodDisruptionBudget',
      plural: 'poddisruptionbudgets',
      shortNames: ['pdb'],
      subresources: ['status'],
      generation: true,
      columns: budgetColumns(clock),
      strategy: budgetStrategy,
      guarded: true,
    },
  ];
}

/** Definitions of every built-in kind that is stored. */
export function builtinKinds(clock: Clock): readonly ResourceDefinition[] {
  const kinds = [
    ...coreKinds(clock),
    ...otherKinds(clock),
    ...rbacKinds(clock),
    ...workloadKinds(clock),
  ];
  return kinds.map(define);
}
