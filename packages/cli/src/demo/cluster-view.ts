import {
  decodeNode,
  type MachineConfigNode,
  type MachineConfigPool,
  machineConfigNodes,
  machineConfigPools,
  type Node,
  nodes,
} from '@slipway/api';
import type { KubeClient } from '@slipway/kube';

/** Everything that the tour looks at, read at about the same moment. */
export type ClusterView = {
  readonly nodes: readonly Node[];
  readonly pools: readonly MachineConfigPool[];
  readonly machineConfigNodes: readonly MachineConfigNode[];
};

export async function readClusterView(client: KubeClient): Promise<ClusterView> {
  const [nodeList, poolList, details] = await Promise.all([
    client.list(nodes),
    client.list(machineConfigPools),
    client.list(machineConfigNodes),
  ]);
  return { nodes: nodeList, pools: poolList, machineConfigNodes: details };
}

function conditionOf(pool: MachineConfigPool, type: string): string {
  return pool.status?.conditions?.find((condition) => condition.type === type)?.status ?? '-';
}

/** The pool's columns as `kubectl get machineconfigpool` prints them, without the age. */
export function poolRow(pool: MachineConfigPool): readonly string[] {
  const { machineCount, readyMachineCount, updatedMachineCount, degradedMachineCount } =
    pool.status ?? {};
  return [
    pool.metadata?.name ?? '',
    pool.status?.configuration?.name ?? '',
    ...['Updated', 'Updating', 'Degraded'].map((type) => conditionOf(pool, type)),
    ...[machineCount, readyMachineCount, updatedMachineCount, degradedMachineCount].map((count) =>
      String(count ?? 0),
    ),
  ];
}

export const poolHeader: readonly string[] = [
  'NAME',
  'CONFIG',
  'UPDATED',
  'UPDATING',
  'DEGRADED',
  'MACHINES',
  'READY',
  'UPDATED',
  'DEGRADED',
];

/** True when every node of the pool runs the pool's target and the target has (or lacks) a source. */
export function isPoolSettled(
  view: ClusterView,
  poolName: string,
  source: { readonly name: string; readonly present: boolean },
): boolean {
  const pool = view.pools.find((each) => each.metadata?.name === poolName);
  if (pool === undefined) return false;
  const target = pool.spec?.configuration;
  const sources = (target?.source ?? []).map((reference) => reference.name);
  const { machineCount = 0, updatedMachineCount, readyMachineCount } = pool.status ?? {};
  return (
    target?.name !== undefined &&
    sources.includes(source.name) === source.present &&
    pool.status?.configuration?.name === target.name &&
    conditionOf(pool, 'Updated') === 'True' &&
    machineCount > 0 &&
    updatedMachineCount === machineCount &&
    readyMachineCount === machineCount
  );
}

/** True when every pool is settled and together they have `machines` nodes. */
export function areAllSettled(view: ClusterView, machines: number): boolean {
  const counted = view.pools.reduce((sum, pool) => sum + (pool.status?.machineCount ?? 0), 0);
  const nothing = { name: '', present: false };
  return (
    counted === machines &&
    view.pools.every((pool) => isPoolSettled(view, pool.metadata?.name ?? '', nothing))
  );
}

/** `state` of one node in words: Done, Working, Degraded, or nothing yet. */
export function stateOf(view: ClusterView, nodeName: string): string {
  const node = view.nodes.find((each) => each.metadata?.name === nodeName);
  return node === undefined ? 'missing' : decodeNode(node).state.kind;
}
