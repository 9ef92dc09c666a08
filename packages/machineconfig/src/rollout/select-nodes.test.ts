import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NodeSketch, nodeOf } from '../testing/node-of.ts';
import { observeNode } from './observe-node.ts';
import { selectNodes } from './select-nodes.ts';

const old = (name: string, more: Partial<NodeSketch> = {}): NodeSketch => ({
  name,
  current: 'v0',
  desired: 'v0',
  state: 'Done',
  ...more,
});
const updated = (name: string, more: Partial<NodeSketch> = {}) =>
  old(name, { current: 'v1', desired: 'v1', ...more });
const moving = (name: string, more: Partial<NodeSketch> = {}) =>
  old(name, { desired: 'v1', state: 'Working', ...more });

type Row = {
  name: string;
  given: readonly NodeSketch[];
  limit: number;
  controlPlane?: boolean;
  fresh: readonly string[];
  retarget?: readonly string[];
};

const rows: readonly Row[] = [
  { name: 'nothing to do', given: [updated('a'), updated('b')], limit: 1, fresh: [] },
  {
    name: 'oldest first',
    given: [old('a', { age: 2 }), old('b', { age: 1 })],
    limit: 1,
    fresh: ['b'],
  },
  { name: 'the name decides between equals', given: [old('b'), old('a')], limit: 1, fresh: ['a'] },
  {
    name: 'as many as allowed',
    given: [old('a'), old('b'), old('c')],
    limit: 2,
    fresh: ['a', 'b'],
  },
  {
    name: 'never targeted nodes in turn',
    given: [{ name: 'a' }, { name: 'b' }],
    limit: 1,
    fresh: ['a'],
  },
  {
    name: 'none while one is not ready',
    given: [updated('a', { ready: false }), old('b')],
    limit: 1,
    fresh: [],
  },
  {
    name: 'none while one is cordoned',
    given: [updated('a', { cordoned: true }), old('b')],
    limit: 1,
    fresh: [],
  },
  {
    name: 'a cordoned node is left alone',
    given: [old('a', { cordoned: true }), old('b')],
    limit: 2,
    fresh: ['b'],
  },
  {
    name: 'one that is changing leaves room for one',
    given: [moving('a'), old('b'), old('c')],
    limit: 2,
    fresh: ['b'],
  },
  { name: 'one that is changing blocks', given: [moving('a'), old('b')], limit: 1, fresh: [] },
  {
    name: 'targeted but not started blocks',
    given: [old('a', { desired: 'v1' }), old('b')],
    limit: 1,
    fresh: [],
  },
  {
    name: 'degraded on the target is not touched and blocks',
    given: [moving('a', { state: 'Degraded' }), old('b')],
    limit: 1,
    fresh: [],
  },
  {
    name: 'drifted at the target blocks',
    given: [updated('a', { state: 'Degraded' }), old('b')],
    limit: 1,
    fresh: [],
  },
  {
    name: 'degraded on a superseded configuration is retargeted at no cost',
    given: [old('a', { desired: 'bad', state: 'Degraded' }), old('b')],
    limit: 1,
    fresh: [],
    retarget: ['a'],
  },
  {
    name: 'whatever its cordon and readiness',
    given: [
      old('a', { desired: 'bad', state: 'Degraded', cordoned: true, ready: false }),
      old('b'),
    ],
    limit: 1,
    fresh: [],
    retarget: ['a'],
  },
  {
    name: 'a bad configuration that took the node down after Done',
    given: [old('a', { current: 'bad', desired: 'bad', ready: false }), updated('b')],
    limit: 1,
    fresh: [],
    retarget: ['a'],
  },
  {
    name: 'of many that are down no more than the limit',
    given: [old('a', { ready: false }), old('b', { ready: false }), old('c', { ready: false })],
    limit: 1,
    fresh: [],
    retarget: ['a'],
  },
  {
    name: 'of many that are down none while another is changing',
    given: [moving('a', { ready: false }), old('b', { ready: false }), old('c', { ready: false })],
    limit: 1,
    fresh: [],
  },
  {
    name: 'the one that a bad configuration took down before those that were down already',
    given: [
      old('a', { ready: false }),
      old('b', { ready: false }),
      old('c', { current: 'bad', desired: 'bad', ready: false }),
    ],
    limit: 1,
    fresh: [],
    retarget: ['c'],
  },
  {
    name: 'a stuck drain towards a superseded configuration',
    given: [old('a', { desired: 'bad', state: 'Working', cordoned: true }), old('b')],
    limit: 1,
    fresh: [],
    retarget: ['a'],
  },
  {
    name: 'several failing ones at once',
    given: [
      old('a', { desired: 'bad', state: 'Degraded' }),
      old('b', { desired: 'bad', state: 'Degraded' }),
      old('c'),
    ],
    limit: 1,
    fresh: [],
    retarget: ['a', 'b'],
  },
  {
    name: 'one control plane at a time, whatever the pool says',
    given: [old('a'), old('b'), old('c')],
    limit: 3,
    controlPlane: true,
    fresh: ['a'],
  },
  {
    name: 'no second control plane beside one that is down',
    given: [updated('a', { ready: false }), old('b'), old('c')],
    limit: 3,
    controlPlane: true,
    fresh: [],
  },
  {
    name: 'a control plane that is down waits while another is changing',
    given: [moving('a'), old('b', { ready: false }), old('c')],
    limit: 3,
    controlPlane: true,
    fresh: [],
  },
  {
    name: 'a failing control plane is retargeted, alone',
    given: [old('a', { desired: 'bad', state: 'Degraded' }), old('b'), old('c')],
    limit: 3,
    controlPlane: true,
    fresh: [],
    retarget: ['a'],
  },
  {
    name: 'a failing control plane that still serves waits while another is down: etcd keeps its quorum',
    given: [
      old('a', { desired: 'bad', state: 'Degraded' }),
      updated('b', { ready: false }),
      updated('c'),
    ],
    limit: 1,
    controlPlane: true,
    fresh: [],
  },
  {
    name: 'a failing control plane that is down itself takes nothing away',
    given: [
      old('a', { desired: 'bad', state: 'Degraded', ready: false }),
      updated('b', { ready: false }),
      updated('c'),
    ],
    limit: 1,
    controlPlane: true,
    fresh: [],
    retarget: ['a'],
  },
  {
    name: 'a single node does not wait for others',
    given: [old('a')],
    limit: 1,
    controlPlane: true,
    fresh: ['a'],
  },
];

for (const { name, given, limit, controlPlane = false, fresh, retarget = [] } of rows)
  test(`which nodes come next: ${name}`, () => {
    const nodes = given.map((sketch) => observeNode(nodeOf(sketch)));
    const selection = selectNodes({ target: 'v1', nodes, maxUnavailable: limit, controlPlane });
    assert.deepEqual({ fresh: selection.fresh, retarget: selection.retarget }, { fresh, retarget });
  });

test('those that wait are named with the reason', () => {
  const nodes = [moving('a'), old('b'), old('c', { cordoned: true })].map((sketch) =>
    observeNode(nodeOf(sketch)),
  );
  const { waiting } = selectNodes({ target: 'v1', nodes, maxUnavailable: 1, controlPlane: false });
  assert.deepEqual(waiting, [
    { node: 'b', reason: 'waits for its turn' },
    { node: 'c', reason: 'cordoned' },
  ]);
});

test('a newcomer is not chosen yet, but counts', () => {
  const nodes = [old('a', { ready: false }), old('b')].map((sketch) => observeNode(nodeOf(sketch)));
  const newcomers = new Set(['a']);
  const given = { target: 'v1', nodes, maxUnavailable: 1, controlPlane: false };
  assert.deepEqual(selectNodes(given).retarget, ['a']);
  assert.deepEqual(selectNodes({ ...given, newcomers }), {
    retarget: [],
    fresh: [],
    waiting: [
      { node: 'b', reason: 'waits for its turn' },
      { node: 'a', reason: 'is new and may still get a role' },
    ],
  });
});
