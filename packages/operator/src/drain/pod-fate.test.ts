import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@slipway/api';
import { overdueBlocker, refusedBlocker } from './blockers.ts';
import { podFate } from './pod-fate.ts';
import { hasShelter } from './shelter.ts';

function podOf(kind: string | undefined, more: Pod = {}): Pod {
  const ownerReferences =
    kind === undefined ? [] : [{ apiVersion: 'v1', kind, name: 'x', uid: '1', controller: true }];
  return { ...more, metadata: { name: 'p', namespace: 'n', ownerReferences, ...more.metadata } };
}

const gone = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const rows = [
  { name: 'of a ReplicaSet', given: podOf('ReplicaSet'), want: 'evict' },
  { name: 'on its own', given: podOf(undefined), want: 'evict' },
  { name: 'of a DaemonSet', given: podOf('DaemonSet'), want: 'skip' },
  {
    name: 'finished, of a DaemonSet',
    given: podOf('DaemonSet', { status: { phase: 'Failed' } }),
    want: 'evict',
  },
  {
    name: 'mirror of a static pod',
    given: podOf('Node', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }),
    want: 'skip',
  },
  { name: 'on its way out', given: podOf('ReplicaSet', gone), want: 'terminating' },
] as const;

for (const { name, given, want } of rows)
  test(`what a drain does with a pod: ${name}`, () => assert.equal(podFate(given), want));

test('a refused eviction names pod, owner and budget', () => {
  const pod = podOf('ReplicaSet', { metadata: { labels: { app: 'a' } } });
  const budget = {
    metadata: { name: 'keep-a' },
    spec: { selector: { matchLabels: { app: 'a' } } },
  };
  const other = { metadata: { name: 'keep-b' }, spec: { selector: { matchLabels: { app: 'b' } } } };
  assert.deepEqual(refusedBlocker(pod, 'not now', [other, budget]), {
    namespace: 'n',
    pod: 'p',
    podDisruptionBudget: 'keep-a',
    owner: 'ReplicaSet/x',
    message: 'not now',
  });
});

test('a terminating pod becomes a blocker when it is overdue', () => {
  const pod = podOf('ReplicaSet', gone);
  const due = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(overdueBlocker(pod, due + 9_000), undefined);
  assert.match(overdueBlocker(pod, due + 11_000)?.message ?? '', /still terminating/);
});

test('pods have somewhere to go only where another node would take them', () => {
  const node = { metadata: { name: 'a' } };
  const taint = (key: string) => ({
    metadata: { name: 'b' },
    spec: { taints: [{ key, effect: 'NoSchedule' }] },
  });
  assert.equal(hasShelter(node, [node]), false, 'a single node');
  assert.equal(hasShelter(node, [node, taint('node-role.kubernetes.io/control-plane')]), false);
  assert.equal(
    hasShelter(node, [node, taint('node.kubernetes.io/not-ready')]),
    true,
    'ready again soon',
  );
});
