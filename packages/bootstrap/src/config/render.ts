import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@slipway/base';
import { stringify } from 'yaml';
import { parseKubernetesVersion } from '../version/kubernetes-version.ts';
import type {
  ClusterConfiguration,
  Etcd,
  InitConfiguration,
  JoinConfiguration,
  NodeRegistration,
  ResetConfiguration,
  Taint,
  UpgradeConfiguration,
} from './configuration.ts';

/**
 * Configurations as kubeadm.k8s.io/v1beta4 documents, in kubeadm's own form: keys sorted, what is empty
 * left out but for the objects that kubeadm always writes.
 */

const apiVersion = 'kubeadm.k8s.io/v1beta4';

const yamlForm = {
  sortMapEntries: true,
  lineWidth: 0,
  indentSeq: false,
  aliasDuplicateObjects: false,
} as const;

export function renderClusterConfiguration(cluster: ClusterConfiguration): string {
  return document('ClusterConfiguration', { ...cluster, etcd: knownEtcd(cluster) });
}

/** kubeadm 1.34 does not know `httpEndpoints`: they are left out where they say nothing of their own. */
function knownEtcd({ etcd, kubernetesVersion }: ClusterConfiguration): Etcd {
  if (!('external' in etcd) || (parseKubernetesVersion(kubernetesVersion)?.minor ?? 35) >= 35)
    return etcd;
  const { httpEndpoints, ...external } = etcd.external;
  return jsonEqual(httpEndpoints, external.endpoints) ? { external } : etcd;
}

/** With taints that may be null: `config print` shows by it that they are decided by the role. */
type Shown<T extends { readonly nodeRegistration: NodeRegistration }> = Omit<
  T,
  'nodeRegistration'
> & { readonly nodeRegistration: ShownNode };

type ShownNode = Omit<NodeRegistration, 'taints'> & {
  readonly taints: readonly Taint[] | null;
};

export function renderInitConfiguration(init: Shown<InitConfiguration>): string {
  return document('InitConfiguration', {
    ...init,
    nodeRegistration: nodeObject(init.nodeRegistration),
  });
}

export function renderJoinConfiguration(join: Shown<JoinConfiguration>): string {
  const nodeRegistration = nodeObject(join.nodeRegistration);
  return document('JoinConfiguration', { ...join, nodeRegistration });
}

export function renderResetConfiguration(reset: ResetConfiguration): string {
  return document('ResetConfiguration', reset);
}

export function renderUpgradeConfiguration(upgrade: UpgradeConfiguration): string {
  const { contextLines, ...diff } = upgrade.diff;
  return document('UpgradeConfiguration', {
    ...upgrade,
    // Three is what kubeadm takes nothing for.
    diff: contextLines === 3 ? diff : { ...diff, contextLines },
  });
}

/** A document of the kubelet or of kube-proxy as it is, with its keys sorted. */
export function renderComponentConfiguration(configuration: JsonObject): string {
  return stringify(configuration, yamlForm);
}

/** Several documents in one file. */
export function joinDocuments(documents: readonly string[]): string {
  return documents.join('---\n');
}

function document(kind: string, object: object): string {
  return stringify({ apiVersion, kind, ...compact(object as JsonObject, []) }, yamlForm);
}

function nodeObject(node: ShownNode): JsonObject {
  // An empty list means "no taints" and must stay; absent would mean the default.
  return { ...(node as unknown as JsonObject), taints: node.taints as unknown as JsonValue };
}

/** Objects that kubeadm writes although they are empty, and the members that it writes always. */
const kept = new Set([
  'apiServer',
  'controllerManager',
  'scheduler',
  'dns',
  'proxy',
  'etcd',
  'networking',
  'diff',
  'nodeRegistration.taints',
  'etcd.external.endpoints',
  'etcd.external.caFile',
  'etcd.external.certFile',
  'etcd.external.keyFile',
]);

/** Fields whose false says something. */
const keptFalse = new Set([
  'nodeRegistration.imagePullSerial',
  'apply.certificateRenewal',
  'apply.etcdUpgrade',
  'apply.imagePullSerial',
  'node.certificateRenewal',
  'node.etcdUpgrade',
  'node.imagePullSerial',
  'plan.etcdUpgrade',
]);

function compact(object: JsonObject, path: readonly string[]): JsonObject {
  const members = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    const at = [...path, key];
    const written =
      isJsonObject(value) && key !== 'featureGates'
        ? compact(value, at)
        : withoutMergeMethod(value);
    return isWritten(written, at.join('.')) ? [[key, written]] : [];
  });
  return Object.fromEntries(members);
}

/** v1beta4 has no `mergeMethod`; kubeadm drops it as well, and would refuse to read it. */
function withoutMergeMethod(value: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(value)) return value;
  return value.map((item: JsonValue) => {
    if (!(isJsonObject(item) && 'mergeMethod' in item)) return item;
    const { mergeMethod: _, ...rest } = item;
    return rest;
  });
}

/** What is empty is not written, but for what `kept` names. */
function isWritten(value: JsonValue | undefined, name: string): value is JsonValue {
  if (value === undefined) return false;
  if (value === false) return keptFalse.has(name);
  if (value === '') return kept.has(name);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return !isEmpty || kept.has(name);
}
