import { decodeNode, type MachineConfigNode, type Node } from '@slipway/api';
import { textTable } from '../text-table.ts';
import { type ClusterView, poolHeader, poolRow } from './cluster-view.ts';

const symbols = { done: '✔', working: '●', degraded: '✖', unknown: '○' } as const;

/** The picture of a rollout: a row per node, then a row per pool. */
export function rolloutTable(view: ClusterView): readonly string[] {
  const details = new Map(view.machineConfigNodes.map((each) => [each.metadata?.name, each]));
  const rows = view.nodes.map((node) => nodeRow(node, details.get(node.metadata?.name)));
  return [
    ...textTable(['', 'NODE', 'STATE', 'CONFIG', 'WHAT HAPPENS'], rows),
    ...textTable(poolHeader, view.pools.map(poolRow)),
  ];
}

/** The same as one sentence per node and pool, by name. */
export function rolloutFacts(view: ClusterView): ReadonlyMap<string, string> {
  const details = new Map(view.machineConfigNodes.map((each) => [each.metadata?.name, each]));
  const nodeFacts = view.nodes.map((node): [string, string] => {
    const [, name = '', state, config, what = ''] = nodeRow(node, details.get(node.metadata?.name));
    const place = config === '' ? 'without a configuration' : `at ${config}`;
    const fact = state === '-' ? 'not adopted yet' : `${state} ${place}`;
    return [name, what === '' ? fact : `${fact}, ${what}`];
  });
  const poolFacts = view.pools.map((pool): [string, string] => {
    const { machineCount = 0, updatedMachineCount = 0, readyMachineCount = 0 } = pool.status ?? {};
    const target = shortName(pool.spec?.configuration?.name) || 'not rendered yet';
    const counts = `${updatedMachineCount} of ${machineCount} updated, ${readyMachineCount} ready`;
    return [`pool ${pool.metadata?.name}`, `${target}, ${counts}`];
  });
  return new Map([...nodeFacts, ...poolFacts]);
}

function nodeRow(node: Node, detail: MachineConfigNode | undefined): readonly string[] {
  const { state, desired } = decodeNode(node);
  const current = shortName(state.current);
  const target = desired === undefined ? '' : shortName(desired);
  return [
    symbols[state.kind],
    node.metadata?.name ?? '',
    state.kind === 'unknown' ? '-' : `${state.kind[0]?.toUpperCase()}${state.kind.slice(1)}`,
    target === '' || target === current ? current : `${current} → ${target}`.trimStart(),
    happening(node, detail),
  ];
}

/** `rendered-worker-0123456789…` cut to what tells two of them apart. */
function shortName(name: string | undefined): string {
  if (name === undefined) return '';
  const match = /^(rendered-.+)-([0-9a-f]{8})[0-9a-f]{24}$/.exec(name);
  return match === null ? name : `${match[1]}-${match[2]}`;
}

function happening(node: Node, detail: MachineConfigNode | undefined): string {
  const { state } = decodeNode(node);
  const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready');
  const notes = [
    ...(state.kind === 'working' ? (detail?.status?.plannedActions ?? []) : []),
    ...(node.spec?.unschedulable === true ? ['cordoned'] : []),
    ...(ready?.status === 'True' ? [] : ['not ready']),
    ...(state.kind === 'degraded' ? [state.reason.split('\n')[0] ?? ''] : []),
  ];
  return notes.join(', ');
}
