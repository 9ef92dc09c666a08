import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MachineConfiguration } from '@slipway/api';
import { fileMatch, isPolicyObserved, policyInForce, unitMatch } from './policy.ts';

const drain = [{ type: 'Drain' }] as const;
const policyOf = (...paths: readonly string[]) =>
  policyInForce({
    spec: { nodeDisruptionPolicy: { files: paths.map((path) => ({ path, actions: drain })) } },
  });

const rows = [
  { name: 'none', policies: [], path: '/etc/a', want: 'default files' },
  { name: 'exact', policies: ['/etc/a'], path: '/etc/a', want: 'exact /etc/a' },
  {
    name: 'nearest directory',
    policies: ['/etc', '/etc/b'],
    path: '/etc/b/c/d',
    want: 'directory /etc/b',
  },
  {
    name: 'exact beats directory',
    policies: ['/etc/b', '/etc/b/c'],
    path: '/etc/b/c',
    want: 'exact /etc/b/c',
  },
  {
    name: 'siblings and deeper ones do not match',
    policies: ['/etc/b1', '/etc/b/c/d/e'],
    path: '/etc/b/c',
    want: 'default files',
  },
  {
    name: 'components, not letters',
    policies: ['/etc/f1'],
    path: '/etc/f10',
    want: 'default files',
  },
  {
    name: 'a slash at the end',
    policies: ['/etc/sysctl.d/'],
    path: '/etc/sysctl.d/x',
    want: 'directory /etc/sysctl.d',
  },
  { name: 'the root matches everything', policies: ['/'], path: '/etc/a', want: 'directory /' },
] as const;

for (const { name, policies, path, want } of rows)
  test(`policy of a file: ${name}`, () => {
    const match = fileMatch(path, policyOf(...policies));
    assert.equal(`${match.rule} ${match.policy}`, want);
  });

test('defaults of a cluster without a policy: files None, units Reboot, SSH keys None', () => {
  const policy = policyInForce(undefined);
  assert.deepEqual(fileMatch('/etc/a', policy).actions, [{ type: 'None' }]);
  assert.deepEqual(unitMatch('a.service', policy).actions, [{ type: 'Reboot' }]);
  assert.deepEqual(policy.sshkey, [{ type: 'None' }]);
});

test('what the status says is in force, and whether it is of the present spec', () => {
  const configuration: MachineConfiguration = {
    metadata: { generation: 2 },
    spec: { nodeDisruptionPolicy: { units: [{ name: 'a.service', actions: drain }] } },
    status: { observedGeneration: 1, nodeDisruptionPolicyStatus: { clusterPolicies: {} } },
  };
  assert.equal(unitMatch('a.service', policyInForce(configuration)).rule, 'default');
  assert.equal(isPolicyObserved(configuration), false);
  assert.equal(isPolicyObserved({ ...configuration, status: { observedGeneration: 2 } }), true);
});
