import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MachineConfiguration } from '@slipway/api';
import { policyStatus } from './decide.ts';

const now = '2026-01-02T00:00:00Z';
const valid: MachineConfiguration = {
  metadata: { name: 'cluster', generation: 3 },
  spec: { nodeDisruptionPolicy: { files: [{ path: '/etc/a', actions: [{ type: 'Drain' }] }] } },
};
const none = [{ type: 'None' }];

test('a valid policy is in force, with SSH keys None where it says nothing', () => {
  const status = policyStatus(valid, now);
  assert.equal(status.observedGeneration, 3);
  assert.deepEqual(status.nodeDisruptionPolicyStatus?.clusterPolicies, {
    files: [{ path: '/etc/a', actions: [{ type: 'Drain' }] }],
    sshkey: { actions: none },
  });
  assert.deepEqual(
    status.conditions?.map((item) => [
      item.type,
      item.status,
      item.reason,
      item.lastTransitionTime,
    ]),
    [['Ready', 'True', 'PolicyInForce', now]],
  );
});

test('an invalid policy is observed and named, and the last valid one stays in force', () => {
  const before = policyStatus(valid, now);
  const actions = [{ type: 'Reboot' }, { type: 'Drain' }] as const;
  const broken: MachineConfiguration = {
    metadata: { name: 'cluster', generation: 4 },
    spec: { nodeDisruptionPolicy: { sshkey: { actions } } },
    status: before,
  };
  const status = policyStatus(broken, now);
  assert.equal(status.observedGeneration, 4);
  assert.deepEqual(status.nodeDisruptionPolicyStatus, before.nodeDisruptionPolicyStatus);
  assert.equal(status.conditions?.[0]?.reason, 'InvalidPolicy');
  assert.match(
    status.conditions?.[0]?.message ?? '',
    /spec\.nodeDisruptionPolicy\.sshkey\.actions: action Reboot must be the only one/,
  );
});

test('nothing changes when nothing changed', () => {
  const status = policyStatus(valid, now);
  assert.deepEqual(policyStatus({ ...valid, status }, '2027-01-01T00:00:00Z'), status);
});
