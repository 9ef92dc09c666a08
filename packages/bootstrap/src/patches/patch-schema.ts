import { type PatchSchema, unknownPatchSchema } from '@slipway/api';
import type { PatchTarget } from './patch-file-name.ts';

/**
 * How lists of the patched types merge: the keys of `patchMergeKey` in k8s.io/api core/v1 and apps/v1 of
 * Kubernetes 1.37. Lists that are not named are replaced.
 */
type Table = {
  readonly lists?: Readonly<Record<string, { readonly key: string; readonly element?: Table }>>;
  readonly scalars?: readonly string[];
  readonly objects?: Readonly<Record<string, Table>>;
};

const container: Table = {
  lists: {
    ports: { key: 'containerPort' },
    env: { key: 'name' },
    volumeMounts: { key: 'mountPath' },
    volumeDevices: { key: 'devicePath' },
  },
};

const metadata: Table = { lists: { ownerReferences: { key: 'uid' } }, scalars: ['finalizers'] };

const podSpec: Table = {
  lists: {
    volumes: { key: 'name' },
    containers: { key: 'name', element: container },
    initContainers: { key: 'name', element: container },
    ephemeralContainers: { key: 'name', element: container },
    imagePullSecrets: { key: 'name' },
    hostAliases: { key: 'ip' },
    topologySpreadConstraints: { key: 'topologyKey' },
    schedulingGates: { key: 'name' },
    resourceClaims: { key: 'name' },
  },
};

const pod: Table = { objects: { metadata, spec: podSpec } };
const workload: Table = { objects: { metadata, spec: { objects: { template: pod } } } };

const tables: Readonly<Record<PatchTarget, Table>> = {
  etcd: pod,
  'kube-apiserver': pod,
  'kube-controller-manager': pod,
  'kube-scheduler': pod,
  // All lists of KubeletConfiguration are replaced.
  kubeletconfiguration: {},
  corednsdeployment: workload,
  kubeproxydaemonset: workload,
};

/** The schema that strategic patches of a target follow. */
export function patchSchemaOf(target: PatchTarget): PatchSchema {
  return schemaOf(tables[target]);
}

function schemaOf(table: Table): PatchSchema {
  return { ...unknownPatchSchema, member: (key) => memberOf(table, key) };
}

function memberOf({ lists = {}, scalars = [], objects = {} }: Table, key: string): PatchSchema {
  const list = Object.hasOwn(lists, key) ? lists[key] : undefined;
  if (list !== undefined) {
    return {
      ...unknownPatchSchema,
      strategy: ['merge'],
      mergeKey: list.key,
      element: () => schemaOf(list.element ?? {}),
    };
  }
  if (scalars.includes(key)) return { ...unknownPatchSchema, strategy: ['merge'] };
  const object = Object.hasOwn(objects, key) ? objects[key] : undefined;
  return object === undefined ? unknownPatchSchema : schemaOf(object);
}
