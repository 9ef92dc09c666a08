import type { KubeObject, MachineConfig, MachineConfigPool, Node } from '@slipway/api';
import { jsonEqual } from '@slipway/base';
import { type InformerEvent, informerSource, type KeySource } from '@slipway/kube';
import { matchesSelector, membershipOf } from '@slipway/machineconfig';
import { type Caches, renderedFor } from './caches.ts';
import type { RenderReports } from './render/render-reports.ts';

type Change<T> = InformerEvent<T>;

/** Both states of a change, as far as there are both. */
function states<T extends KubeObject>({ before, after }: Change<T>): readonly T[] {
  return [before, after].filter((state) => state !== undefined);
}

/** True when something that the rules look at differs: not for a heartbeat. */
function isRelevantNodeChange({ before, after }: Change<Node>): boolean {
  if (before === undefined || after === undefined) return true;
  return !(
    jsonEqual(before.metadata?.labels, after.metadata?.labels) &&
    jsonEqual(before.metadata?.annotations, after.metadata?.annotations) &&
    jsonEqual(before.spec, after.spec) &&
    jsonEqual(before.status, after.status)
  );
}

function poolNames(caches: Caches): readonly string[] {
  return caches.pools.list().map(({ metadata }) => metadata?.name ?? '');
}

function isSpecChange({ before, after }: Change<MachineConfigPool>): boolean {
  return !jsonEqual(before?.spec, after?.spec);
}

/** Pools that select what a MachineConfig is or was; for a rendered one its own pool, when it was touched. */
function poolsOfConfig(caches: Caches, change: Change<MachineConfig>): readonly string[] {
  const rendered = states(change)
    .map(renderedFor)
    .find((pool) => pool !== undefined);
  if (rendered !== undefined) return change.before === undefined ? [] : [rendered];
  return caches.pools
    .list()
    .filter(({ spec }) =>
      states(change).some(({ metadata }) =>
        matchesSelector(spec?.machineConfigSelector, metadata?.labels),
      ),
    )
    .map(({ metadata }) => metadata?.name ?? '');
}

/** What makes a pool be rendered again. */
export function renderSources(caches: Caches): readonly KeySource[] {
  return [
    informerSource(caches.pools, (change) => (isSpecChange(change) ? [change.key] : [])),
    informerSource(caches.machineConfigs, (change) => poolsOfConfig(caches, change)),
  ];
}

function poolsOfNode(caches: Caches, change: Change<Node>): readonly string[] {
  if (!isRelevantNodeChange(change)) return [];
  const pools = caches.pools.list();
  return states(change).flatMap((node) => {
    const membership = membershipOf(node, pools);
    if (membership.kind === 'member') return [membership.pool];
    return membership.kind === 'conflict' ? membership.pools : [];
  });
}

/** True when who belongs where may have changed for all pools. */
function movesNodes({ before, after }: Change<MachineConfigPool>): boolean {
  return !jsonEqual(before?.spec?.nodeSelector, after?.spec?.nodeSelector);
}

/** What makes a pool be looked at again. */
export function poolSources(caches: Caches, reports: RenderReports): readonly KeySource[] {
  const onReport: KeySource = { watch: (wake) => reports.onChange(wake) };
  const onRendered = informerSource(caches.machineConfigs, (change) => {
    const pool = states(change)
      .map(renderedFor)
      .find((name) => name !== undefined);
    return pool === undefined ? [] : [pool];
  });
  return [
    informerSource(caches.pools, (change) =>
      movesNodes(change) ? [change.key, ...poolNames(caches)] : [change.key],
    ),
    informerSource(caches.nodes, (change) => poolsOfNode(caches, change)),
    onRendered,
    onReport,
  ];
}

/** Nodes whose drain may have something to do. */
export function drainSources(caches: Caches): readonly KeySource[] {
  return [
    informerSource(caches.nodes, (change) => (isRelevantNodeChange(change) ? [change.key] : [])),
  ];
}

/** Nodes whose MachineConfigNode may be out of date. */
export function machineConfigNodeSources(caches: Caches): readonly KeySource[] {
  const everyNode = () => caches.nodes.list().map(({ metadata }) => metadata?.name ?? '');
  const byPool = informerSource(caches.pools, (change) => (movesNodes(change) ? everyNode() : []));
  const byObject = informerSource(caches.machineConfigNodes, ({ key, before, after }) =>
    jsonEqual(before?.spec, after?.spec) ? [] : [key],
  );
  return [...drainSources(caches), byPool, byObject];
}
