import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeAnnotation } from '@slipway/api';
import { areAllSettled, type ClusterView, isPoolSettled } from './cluster-view.ts';
import { rolloutFacts, rolloutTable } from './rollout-table.ts';

const [old, fresh] = [`rendered-worker-${'a'.repeat(32)}`, `rendered-worker-${'b'.repeat(32)}`];

function worker(name: string, state: string, current: string) {
  return {
    metadata: {
      name,
      annotations: {
        [nodeAnnotation.currentConfig]: current,
        [nodeAnnotation.desiredConfig]: fresh,
        [nodeAnnotation.state]: state,
      },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' as const }] },
  };
}

function viewOf(updated: number): ClusterView {
  const done = updated === 2;
  const status = done ? ('True' as const) : ('False' as const);
  return {
    nodes: [
      worker('worker-1', 'Done', fresh),
      worker('worker-2', done ? 'Done' : 'Working', done ? fresh : old),
    ],
    pools: [
      {
        metadata: { name: 'worker' },
        spec: { configuration: { name: fresh, source: [{ name: '99-worker-chrony' }] } },
        status: {
          configuration: { name: done ? fresh : old },
          machineCount: 2,
          updatedMachineCount: updated,
          readyMachineCount: updated,
          conditions: [{ type: 'Updated', status }],
        },
      },
    ],
    machineConfigNodes: [
      { metadata: { name: 'worker-2' }, status: { plannedActions: ['Restart chronyd.service'] } },
    ],
  };
}

test('a working node shows where it goes and what happens on it', () => {
  const facts = rolloutFacts(viewOf(1));
  assert.equal(facts.get('worker-1'), 'Done at rendered-worker-bbbbbbbb');
  assert.equal(
    facts.get('worker-2'),
    'Working at rendered-worker-aaaaaaaa → rendered-worker-bbbbbbbb, Restart chronyd.service',
  );
  assert.equal(facts.get('pool worker'), 'rendered-worker-bbbbbbbb, 1 of 2 updated, 1 ready');
  assert.match(rolloutTable(viewOf(1)).join('\n'), /● {3}worker-2 {3}Working/);
});

test('a pool is settled when every node is there and its target has, or lacks, the source', () => {
  const chrony = '99-worker-chrony';
  assert.equal(isPoolSettled(viewOf(1), 'worker', { name: chrony, present: true }), false);
  assert.equal(isPoolSettled(viewOf(2), 'worker', { name: chrony, present: true }), true);
  assert.equal(isPoolSettled(viewOf(2), 'worker', { name: chrony, present: false }), false);
  assert.equal(areAllSettled(viewOf(2), 2), true);
  assert.equal(areAllSettled(viewOf(2), 3), false);
});
