import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { defaultObjects, encodeDesired, type MachineConfigPool, type Node } from '@slipway/api';
import { decideTargets, poolSettingIssues, viewPool } from './decide.ts';

const pools = defaultObjects().flatMap(({ object }) =>
  object.kind === 'MachineConfigPool' ? [object as MachineConfigPool] : [],
);
const created = Date.UTC(2026, 0, 1);

function poolOf(name: string): MachineConfigPool {
  const found = pools.find(({ metadata }) => metadata?.name === name);
  return { ...found, spec: { ...found?.spec, configuration: { name: 'v1' } } };
}

function nodeOf(name: string, labels: Record<string, string>, desired?: string): Node {
  const annotations = desired === undefined ? {} : { ...encodeDesired(desired) };
  return {
    metadata: {
      name,
      labels,
      annotations: annotations as Record<string, string>,
      creationTimestamp: new Date(created).toISOString(),
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function targets(node: Node, ageMs: number) {
  const pool = poolOf('worker');
  const view = viewPool(pool, pools, [node], created + ageMs);
  return {
    fresh: decideTargets(pool, view)?.fresh,
    again: view.lookAgainMs,
    members: view.members.length,
  };
}

suite('a node that has just registered', () => {
  const worker = { 'node-role.kubernetes.io/worker': '' };

  test('without a role is waited for: it may be a control plane', () => {
    assert.deepEqual(targets(nodeOf('n', {}), 1000), { fresh: [], again: 9000, members: 1 });
  });

  test('is a worker when no role came', () => {
    assert.deepEqual(targets(nodeOf('n', {}), 10_000), {
      fresh: ['n'],
      again: undefined,
      members: 1,
    });
  });

  test('with a role is targeted at once', () => {
    assert.deepEqual(targets(nodeOf('n', worker), 0), {
      fresh: ['n'],
      again: undefined,
      members: 1,
    });
  });

  test('that has a target already goes on', () => {
    assert.equal(targets(nodeOf('n', {}, 'v0'), 0).again, undefined);
  });
});

test('control planes are updated one at a time, whatever the pool says', () => {
  const pool = poolOf('master');
  const wide = { ...pool, spec: { ...pool.spec, maxUnavailable: '100%' } };
  const labels = { 'node-role.kubernetes.io/control-plane': '' };
  const nodes = ['a', 'b', 'c'].map((name) => nodeOf(name, labels));
  const view = viewPool(wide, pools, nodes, created);
  assert.deepEqual(decideTargets(wide, view)?.fresh, ['a']);
});

test('a paused pool and one that is not rendered target nobody', () => {
  const pool = poolOf('worker');
  const view = viewPool(pool, pools, [nodeOf('n', {})], created + 60_000);
  assert.equal(decideTargets({ ...pool, spec: { ...pool.spec, paused: true } }, view), undefined);
  assert.equal(decideTargets({ metadata: { name: 'worker' }, spec: {} }, view), undefined);
});

test('settings of the pool are its issues, the selector of MachineConfigs is a matter of rendering', () => {
  const pool = { metadata: { name: 'x' }, spec: { maxUnavailable: 'many' } };
  assert.deepEqual(
    poolSettingIssues(pool).map(({ path }) => path),
    ['spec.nodeSelector', 'spec.maxUnavailable'],
  );
});
