import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observeHeartbeat, silentConditions } from './decide.ts';

const now = '2026-01-01T00:01:00Z';
const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'fine' } as const;
const node = { metadata: { name: 'n' }, status: { conditions: [ready] } };
const at = { monotonicMs: 50_000, graceMs: 40_000, now };

test('only a changed renew time counts as a sign of life', () => {
  const first = observeHeartbeat(undefined, 'a', 1);
  assert.equal(observeHeartbeat(first, 'a', 5), first);
  assert.deepEqual(observeHeartbeat(first, 'b', 5), { renewTime: 'b', changedAtMs: 5 });
});

test('within the grace period nothing is written', () => {
  assert.equal(silentConditions(node, { renewTime: 'a', changedAtMs: 10_000 }, at), undefined);
});

test('after it every condition becomes Unknown, once', () => {
  const heartbeat = { renewTime: 'a', changedAtMs: 9_999 };
  const conditions = silentConditions(node, heartbeat, at);
  assert.deepEqual(conditions, [
    {
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'kubelet stopped posting node status',
      lastTransitionTime: now,
    },
  ]);
  const silent = { ...node, status: { conditions: conditions ?? [] } };
  assert.equal(silentConditions(silent, heartbeat, at), undefined);
});

test('a node that never reported gets a Ready condition', () => {
  const conditions = silentConditions({}, { renewTime: '', changedAtMs: 0 }, at);
  assert.deepEqual(
    conditions?.map(({ type, status }) => [type, status]),
    [['Ready', 'Unknown']],
  );
});
