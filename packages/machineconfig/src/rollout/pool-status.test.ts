import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { MachineConfigPool, MachineConfigPoolStatus } from '@slipway/api';
import { type NodeSketch, nodeOf } from '../testing/node-of.ts';
import { conditionTransitions } from './conditions.ts';
import { observeNode } from './observe-node.ts';
import { type PoolStatusInput, poolStatus } from './pool-status.ts';

const now = '2026-01-02T00:00:00Z';
const later = '2026-01-03T00:00:00Z';
const pool: MachineConfigPool = {
  metadata: { name: 'worker', generation: 7 },
  spec: { configuration: { name: 'v1' } },
  status: { configuration: { name: 'v0' } },
};
const done = (name: string, config: string, more: Partial<NodeSketch> = {}): NodeSketch => ({
  name,
  current: config,
  desired: config,
  state: 'Done',
  ...more,
});

function compute(nodes: readonly NodeSketch[], more: Partial<PoolStatusInput> = {}) {
  return poolStatus({
    pool,
    nodes: nodes.map((sketch) => observeNode(nodeOf(sketch))),
    issues: [],
    conflicts: [],
    now,
    ...more,
  });
}

function summary(status: MachineConfigPoolStatus) {
  const states = (status.conditions ?? []).map(({ type, status: value }) => `${type}=${value}`);
  return {
    counts: [
      status.machineCount,
      status.readyMachineCount,
      status.updatedMachineCount,
      status.unavailableMachineCount,
      status.degradedMachineCount,
    ].join(' '),
    conditions: states.join(' '),
    configuration: status.configuration?.name,
  };
}

const calm = 'Degraded=False NodeDegraded=False';
const rows = [
  {
    name: 'all updated',
    given: [done('a', 'v1'), done('b', 'v1')],
    want: {
      counts: '2 2 2 0 0',
      conditions: `Updated=True Updating=False ${calm}`,
      configuration: 'v1',
    },
  },
  {
    name: 'an empty pool is updated',
    given: [],
    want: {
      counts: '0 0 0 0 0',
      conditions: `Updated=True Updating=False ${calm}`,
      configuration: 'v1',
    },
  },
  {
    name: 'in passing: two of three',
    given: [done('a', 'v1'), done('b', 'v1'), done('c', 'v0', { desired: 'v1', state: 'Working' })],
    want: {
      counts: '3 2 2 1 0',
      conditions: `Updated=False Updating=True ${calm}`,
      configuration: 'v0',
    },
  },
  {
    name: 'updated but cordoned is not ready',
    given: [done('a', 'v1'), done('b', 'v1', { cordoned: true })],
    want: {
      counts: '2 1 2 1 0',
      conditions: `Updated=False Updating=True ${calm}`,
      configuration: 'v0',
    },
  },
  {
    name: 'degraded',
    given: [
      done('a', 'v0'),
      done('b', 'v0', { desired: 'v1', state: 'Degraded', reason: 'disk full' }),
    ],
    want: {
      counts: '2 0 0 1 1',
      conditions: 'Updated=False Updating=True Degraded=True NodeDegraded=True',
      configuration: 'v0',
    },
  },
] as const;

suite('status of a pool', () => {
  for (const { name, given, want } of rows)
    test(name, () => assert.deepEqual(summary(compute(given)), want));

  test('a degraded pool says which node and why', () => {
    const status = compute([
      done('b', 'v0', { desired: 'v1', state: 'Degraded', reason: 'disk full' }),
    ]);
    const found = status.conditions?.find(({ type }) => type === 'Degraded');
    assert.deepEqual([found?.reason, found?.message], ['NodesDegraded', 'node b: disk full']);
  });

  test('a render failure degrades the pool with its own words', () => {
    const failure = { reason: 'InvalidMachineConfig', message: '99-x: spec.config: bad' };
    const status = compute([done('a', 'v1')], { render: { failure } });
    const found = status.conditions?.find(({ type }) => type === 'Degraded');
    assert.deepEqual(
      [found?.status, found?.reason, found?.message],
      ['True', failure.reason, failure.message],
    );
    const again = compute([done('a', 'v1')], { pool: { ...pool, status } });
    const kept = again.conditions?.find(({ type }) => type === 'RenderDegraded');
    assert.equal(kept?.status, 'True', 'kept until the next rendering says otherwise');
  });

  test('a paused pool does not claim to be updating', () => {
    const paused = { ...pool, spec: { ...pool.spec, paused: true } };
    const status = compute([done('a', 'v0')], { pool: paused });
    assert.equal(summary(status).conditions, `Updated=False Updating=False ${calm}`);
    assert.equal(status.conditions?.[0]?.reason, 'Paused');
  });

  test('malformed settings and ambiguous nodes are conditions', () => {
    const issue = {
      code: 'x',
      severity: 'error',
      path: 'spec.maxUnavailable',
      message: 'bad',
    } as const;
    const status = compute([], { issues: [issue], conflicts: ['n1'] });
    const found = status.conditions?.find(({ type }) => type === 'Degraded');
    assert.equal(found?.reason, 'AmbiguousMembership');
    assert.match(found?.message ?? '', /n1.*spec\.maxUnavailable: bad/);
  });

  test('the transition time moves only when a status flips, and transitions are what flipped', () => {
    const first = compute([done('a', 'v0')]);
    const same = compute([done('a', 'v0')], { pool: { ...pool, status: first }, now: later });
    assert.deepEqual(same.conditions, first.conditions);
    assert.deepEqual(conditionTransitions(first.conditions, same.conditions), []);
    const flipped = compute([done('a', 'v1')], { pool: { ...pool, status: same }, now: later });
    const changed = conditionTransitions(same.conditions, flipped.conditions);
    assert.deepEqual(
      changed.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
      [
        ['Updated', later],
        ['Updating', later],
      ],
    );
  });

  test('observedGeneration follows the spec', () => {
    assert.equal(compute([]).observedGeneration, 7);
  });
});
