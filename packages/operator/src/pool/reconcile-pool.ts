import {
  type MachineConfigPool,
  type MachineConfigPoolStatus,
  machineConfigPools,
  type Node,
} from '@slipway/api';
import { type Clock, jsonEqual } from '@slipway/base';
import type { KubeClient, Outcome, Reconcile } from '@slipway/kube';
import { listNames, poolStatus } from '@slipway/machineconfig';
import type { Caches } from '../caches.ts';
import { inParallel } from '../in-parallel.ts';
import type { RecordEvent } from '../record-event.ts';
import type { RenderReports } from '../render/render-reports.ts';
import { timestamp } from '../timestamp.ts';
import type { WrittenCopies } from '../written-copies.ts';
import { decideTargets, type PoolView, poolSettingIssues, viewPool } from './decide.ts';
import { targetNode } from './target-node.ts';
import { poolHappenings } from './transitions.ts';

export type PoolDependencies = {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly reports: RenderReports;
  readonly clock: Clock;
  readonly recordEvent: RecordEvent;
  readonly writtenNodes: WrittenCopies<Node>;
  readonly writtenPools: WrittenCopies<MachineConfigPool>;
};

const parallelWrites = 16;
/** Soon enough not to be noticed, late enough for the cache to catch up. */
const retryMs = 250;

function currentNodes({ caches, writtenNodes }: PoolDependencies): readonly Node[] {
  return caches.nodes.list().map((node) => writtenNodes.newest(node));
}

/** Gives the chosen nodes their target. Returns how many were written and whether all were. */
async function applyTargets(
  pool: MachineConfigPool,
  view: PoolView,
  dependencies: PoolDependencies,
): Promise<{ readonly written: readonly string[]; readonly complete: boolean }> {
  const { client, caches, writtenNodes } = dependencies;
  const selection = decideTargets(pool, view);
  const config = pool.spec?.configuration?.name;
  // A target that does not exist helps nobody; rendering brings it back.
  if (
    selection === undefined ||
    config === undefined ||
    caches.machineConfigs.get(config) === undefined
  )
    return { written: [], complete: true };
  const name = pool.metadata?.name ?? '';
  const pools = caches.pools.list();
  const chosen = [
    ...selection.retarget.map((node) => ({ node, fresh: false })),
    ...selection.fresh.map((node) => ({ node, fresh: true })),
  ];
  const outcomes = await inParallel(chosen, parallelWrites, async ({ node, fresh }) => {
    const outcome = await targetNode(client, { node, pool: name, config, fresh, pools });
    if (outcome.node !== undefined) writtenNodes.note(outcome.node);
    return { node, written: outcome.written };
  });
  const written = outcomes.filter((outcome) => outcome.written).map(({ node }) => node);
  return { written, complete: written.length === chosen.length };
}

async function writeStatus(
  pool: MachineConfigPool,
  status: MachineConfigPoolStatus,
  { client, recordEvent, writtenPools }: PoolDependencies,
): Promise<void> {
  if (jsonEqual(pool.status, status)) return;
  const patch = { type: 'merge', body: { status } } as const;
  const name = pool.metadata?.name ?? '';
  const answer = await client.patch(machineConfigPools, name, patch, { subresource: 'status' });
  writtenPools.note(answer);
  for (const happening of poolHappenings(pool, status)) recordEvent(happening);
}

/** What the conditions and counts of the pool are now. */
function statusOf(
  pool: MachineConfigPool,
  view: PoolView,
  { clock, reports }: PoolDependencies,
): MachineConfigPoolStatus {
  const selection = decideTargets(pool, view);
  const render = reports.get(pool.metadata?.name ?? '');
  return poolStatus({
    pool,
    nodes: view.members,
    conflicts: view.conflicts,
    issues: poolSettingIssues(pool),
    now: timestamp(clock),
    ...(render === undefined ? {} : { render }),
    ...(selection === undefined ? {} : { selection }),
  });
}

function tellTargets(
  pool: MachineConfigPool,
  written: readonly string[],
  { recordEvent }: PoolDependencies,
): void {
  if (written.length === 0) return;
  const config = pool.spec?.configuration?.name ?? '';
  recordEvent({
    regarding: pool,
    type: 'Normal',
    reason: 'SetDesiredConfig',
    message: `${config} is the target of ${listNames(written)}`,
  });
}

/** Brings a pool one step on: targets what may be targeted, then says how it is doing. */
export function createPoolReconcile(dependencies: PoolDependencies): Reconcile {
  const { caches, clock, writtenPools } = dependencies;
  return async (name): Promise<Outcome> => {
    const cached = caches.pools.get(name);
    if (cached === undefined || cached.metadata?.deletionTimestamp !== undefined)
      return { kind: 'done' };
    const pool = writtenPools.newest(cached);
    const look = () => viewPool(pool, caches.pools.list(), currentNodes(dependencies), clock.now());
    const before = look();
    const { written, complete } = await applyTargets(pool, before, dependencies);
    tellTargets(pool, written, dependencies);
    // Fleets are large: a second look only when there is something new to see.
    const view = written.length === 0 && complete ? before : look();
    await writeStatus(pool, statusOf(pool, view, dependencies), dependencies);
    if (!complete) return { kind: 'requeue', afterMs: retryMs };
    const { lookAgainMs } = view;
    return lookAgainMs === undefined ? { kind: 'done' } : { kind: 'requeue', afterMs: lookAgainMs };
  };
}
