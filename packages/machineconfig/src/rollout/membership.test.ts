import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MachineConfigPool } from '@slipway/api';
import { nodeOf } from '../testing/node-of.ts';
import { type Membership, membershipOf } from './membership.ts';

const role = (name: string) => `node-role.kubernetes.io/${name}`;

function pool(name: string, label: string): MachineConfigPool {
  return { metadata: { name }, spec: { nodeSelector: { matchLabels: { [label]: '' } } } };
}

const pools = [
  pool('master', role('control-plane')),
  pool('worker', role('worker')),
  pool('infra', role('infra')),
  pool('edge', role('edge')),
];

const member = (name: string, ignored: readonly string[] = []): Membership => ({
  kind: 'member',
  pool: name,
  ignored,
});

type Row = { name: string; given: readonly string[]; want: Membership };
const rows: readonly Row[] = [
  { name: 'no role label, as kubeadm leaves workers', given: [], want: member('worker') },
  { name: 'worker', given: ['worker'], want: member('worker') },
  { name: 'control plane', given: ['control-plane'], want: member('master') },
  { name: 'control plane of an older cluster', given: ['master'], want: member('master') },
  {
    name: 'control plane that works too',
    given: ['control-plane', 'worker'],
    want: member('master'),
  },
  { name: 'custom with worker', given: ['infra', 'worker'], want: member('infra') },
  { name: 'custom without worker', given: ['infra'], want: member('infra') },
  {
    name: 'control plane and custom stays in master',
    given: ['control-plane', 'infra'],
    want: member('master', ['infra']),
  },
  {
    name: 'two custom pools',
    given: ['infra', 'edge', 'worker'],
    want: { kind: 'conflict', pools: ['edge', 'infra'] },
  },
];

for (const { name, given, want } of rows)
  test(`pool of a node: ${name}`, () => {
    const labels = Object.fromEntries(given.map((item) => [role(item), '']));
    assert.deepEqual(membershipOf(nodeOf({ name: 'n', labels }), pools), want);
  });

test('pool of a node: Windows is unmanaged', () => {
  const node = nodeOf({
    name: 'n',
    labels: { 'kubernetes.io/os': 'windows', [role('worker')]: '' },
  });
  assert.deepEqual(membershipOf(node, pools), { kind: 'unmanaged', reason: 'windows' });
});

test('pool of a node: none where the pool does not exist', () => {
  assert.deepEqual(membershipOf(nodeOf({ name: 'n' }), []), {
    kind: 'unmanaged',
    reason: 'no-pool',
  });
});

test('pool of a node: a pool with an empty or unreadable selector takes nobody', () => {
  const odd: MachineConfigPool[] = [
    { metadata: { name: 'empty' }, spec: { nodeSelector: {} } },
    {
      metadata: { name: 'unreadable' },
      spec: { nodeSelector: { matchExpressions: [{ key: 'a', operator: 'Like' as 'In' }] } },
    },
  ];
  assert.deepEqual(membershipOf(nodeOf({ name: 'n' }), [...pools, ...odd]), member('worker'));
});
