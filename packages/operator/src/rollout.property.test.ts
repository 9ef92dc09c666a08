import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeNode, machineConfigPools, machineConfigs, nodes, roleLabel } from '@slipway/api';
import { VirtualClock } from '@slipway/base';
import fc from 'fast-check';
import { SimulatedCluster } from './testing/simulated-cluster.ts';

type Happening =
  | { readonly kind: 'change'; readonly text: number }
  | { readonly kind: 'step'; readonly node: number; readonly fails: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'crash' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), text: fc.nat(2) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      node: fc.nat(5),
      fails: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(10, 60, 300) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
);

const scenario = fc.record({
  workers: fc.integer({ min: 2, max: 6 }),
  limit: fc.integer({ min: 1, max: 3 }),
  /** How late the caches are, event by event. */
  lags: fc.array(fc.constantFrom(0, 0, 20, 150, 700), { minLength: 1, maxLength: 20 }),
  happenings: fc.array(happening, { minLength: 5, maxLength: 60 }),
});

async function build(workers: number, limit: number, lags: readonly number[]) {
  let turn = 0;
  const lagMs = () => lags[turn++ % lags.length] ?? 0;
  const cluster = new SimulatedCluster(new VirtualClock(), lagMs);
  for (let index = 0; index < workers; index += 1) await cluster.addNode(`w${index}`);
  await cluster.lead();
  await cluster.api.create(machineConfigs, {
    metadata: { name: '99-a', labels: { [roleLabel]: 'worker' } },
    spec: {},
  });
  const body = { spec: { maxUnavailable: limit } };
  await cluster.api.patch(machineConfigPools, 'worker', { body });
  // The limit is in every cache before anything is measured.
  await cluster.clock.advance(5000);
  return cluster;
}

async function play(cluster: SimulatedCluster, item: Happening): Promise<void> {
  switch (item.kind) {
    case 'change':
      await cluster.api.patch(machineConfigs, '99-a', {
        body: { spec: { kernelArguments: [`x=${item.text}`] } },
      });
      return;
    case 'step':
      await cluster.stepDaemon(`w${item.node}`, { drains: true, fails: () => item.fails });
      return;
    case 'wait':
      await cluster.clock.advance(item.ms);
      return;
    case 'crash':
      await cluster.crash();
      await cluster.lead();
  }
}

function isSettled(cluster: SimulatedCluster): boolean {
  const target = cluster.pool('worker').spec?.configuration?.name;
  const all = cluster.api.all(nodes);
  return (
    cluster.pool('worker').status?.configuration?.name === target &&
    all.every((node) => {
      const { state, desired } = decodeNode(node);
      return state.kind === 'done' && state.current === target && desired === target;
    }) &&
    all.every(({ spec }) => spec?.unschedulable !== true)
  );
}

test('never more than maxUnavailable, whatever the staleness of caches, restarts, failures and changes of mind', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ workers, limit, lags, happenings }) => {
      const cluster = await build(workers, limit, lags);
      for (const item of happenings) await play(cluster, item);
      assert.ok(cluster.mostUnavailable <= limit, `${cluster.mostUnavailable} of ${limit}`);
      // And it converges: every node ends at the target, uncordoned, within the limit.
      const daemons = () =>
        Array.from({ length: workers }, (_, i) => [`w${i}`, { drains: true }] as const);
      await cluster.until(() => isSettled(cluster), daemons, 600_000);
      assert.ok(cluster.mostUnavailable <= limit, `${cluster.mostUnavailable} of ${limit}`);
      await cluster.crash();
    }),
    { numRuns: 60 },
  );
});
