import { type ConfigMap, configMaps, nodeRoleLabel } from '@slipway/api';
import type { JsonObject } from '@slipway/base';
import { clusterRole, clusterRoleBinding } from '../object/access.ts';
import { type ClusterObject, clusterObject } from '../object/cluster-object.ts';
import { deployments, serviceAccounts, services, type Workload } from '../object/kinds.ts';
import type { PatchTarget } from '../patches/patch-file-name.ts';
import { corednsContainer } from './coredns-container.ts';
import { corefile, isDefaultCorefile } from './corefile.ts';

const namespace = 'kube-system';
const roleName = 'system:coredns';

/** Label of everything that answers for the cluster's names; older than CoreDNS. */
export const dnsLabels = { 'k8s-app': 'kube-dns' } as const;

/** The ConfigMap with the Corefile. */
export const corefileKey = { namespace, name: 'coredns' } as const;

/** How many answer in a new cluster. */
export const corednsReplicas = 2;

export type CorednsOptions = {
  readonly image: string;
  /** `networking.dnsDomain`. */
  readonly dnsDomain: string;
  /** The tenth address of the first service subnet. */
  readonly address: string;
  /** Default `corednsReplicas`; of a cluster that has the Deployment: its count. */
  readonly replicas?: number;
};

/** Applies the patches of a target to an object. */
export type PatchObject = (target: PatchTarget, object: JsonObject) => JsonObject;

function podSpec(image: string): JsonObject {
  return {
    priorityClassName: 'system-cluster-critical',
    serviceAccountName: 'coredns',
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: {
              labelSelector: {
                matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }],
              },
              topologyKey: 'kubernetes.io/hostname',
            },
          },
        ],
      },
    },
    tolerations: [
      { key: 'CriticalAddonsOnly', operator: 'Exists' },
      { key: nodeRoleLabel.controlPlane, effect: 'NoSchedule' },
    ],
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    containers: [corednsContainer(image)],
    dnsPolicy: 'Default',
    volumes: [
      {
        name: 'config-volume',
        configMap: { name: corefileKey.name, items: [{ key: 'Corefile', path: 'Corefile' }] },
      },
    ],
  };
}

function deployment({ image, replicas = corednsReplicas }: CorednsOptions): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: deployments.kind,
    metadata: { name: 'coredns', namespace, labels: dnsLabels },
    spec: {
      replicas,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: dnsLabels },
      template: { metadata: { labels: dnsLabels }, spec: podSpec(image) },
    },
  };
}

function port(name: string, number: number, protocol: string): JsonObject {
  return { name, port: number, protocol, targetPort: number };
}

function service(address: string): ClusterObject {
  return clusterObject(services, {
    metadata: {
      name: 'kube-dns',
      namespace,
      labels: {
        ...dnsLabels,
        'kubernetes.io/cluster-service': 'true',
        'kubernetes.io/name': 'CoreDNS',
      },
      annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
    },
    spec: {
      clusterIP: address,
      ports: [port('dns', 53, 'UDP'), port('dns-tcp', 53, 'TCP'), port('metrics', 9153, 'TCP')],
      selector: dnsLabels,
    },
  });
}

function access(): readonly ClusterObject[] {
  const verbs = ['list', 'watch'];
  return [
    clusterRole(roleName, [
      { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs },
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs },
    ]),
    clusterRoleBinding(roleName, roleName, { kind: 'ServiceAccount', name: 'coredns', namespace }),
    clusterObject(serviceAccounts, { metadata: { name: 'coredns', namespace } }),
  ];
}

/**
 * All that CoreDNS consists of. A Corefile that somebody changed stays; one that nobody changed is brought
 * up to date.
 * `patch` gets the Deployment as target `corednsdeployment`.
 */
export function corednsObjects(
  options: CorednsOptions,
  patch: PatchObject = (_, object) => object,
): readonly ClusterObject[] {
  const data = { Corefile: corefile(options.dnsDomain) };
  const patched = patch('corednsdeployment', deployment(options)) as Workload;
  return [
    clusterObject<ConfigMap>(configMaps, { metadata: corefileKey, data }, (live) =>
      isDefaultCorefile(live.data?.['Corefile'] ?? '') ? 'update' : 'keep',
    ),
    ...access(),
    clusterObject(deployments, patched),
    service(options.address),
  ];
}
