import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { DisruptionAction, NodeDisruptionPolicy } from '@slipway/api';
import type { ConfigDiff } from '../diff/config-diff.ts';
import { describeAction, planDisruption, planForced } from './plan.ts';
import { policyInForce } from './policy.ts';

const restart = (serviceName: string): DisruptionAction => ({
  type: 'Restart',
  restart: { serviceName },
});
const reload = (serviceName: string): DisruptionAction => ({
  type: 'Reload',
  reload: { serviceName },
});
const daemonReload: DisruptionAction = { type: 'DaemonReload' };
const keys = { before: [], after: ['k'], added: ['k'], removed: [] };

function diffOf(
  files: readonly string[],
  units: readonly string[] = [],
  more: Partial<ConfigDiff> = {},
): ConfigDiff {
  return {
    files: files.map((path) => ({ path, change: 'changed', fields: ['contents'] })),
    units: units.map((name) => ({ name, change: 'changed', fields: ['contents'], dropins: [] })),
    ...more,
  };
}

const policies: NodeDisruptionPolicy = {
  files: [
    { path: '/etc/chrony.conf', actions: [restart('chronyd.service'), daemonReload] },
    { path: '/etc/chrony.d', actions: [restart('chronyd.service')] },
    { path: '/etc/reload.conf', actions: [reload('chronyd.service'), reload('a.service')] },
    { path: '/etc/drain.conf', actions: [{ type: 'Drain' }, restart('a.service')] },
    { path: '/etc/boot.conf', actions: [{ type: 'Reboot' }] },
  ],
  units: [{ name: 'a.service', actions: [daemonReload, restart('a.service')] }],
};

const rows = [
  { name: 'no difference', given: diffOf([]), want: '' },
  { name: 'a file without a policy is inert', given: diffOf(['/etc/x']), want: ' inert /etc/x' },
  {
    name: 'a unit without a policy reboots and drains',
    given: diffOf([], ['x.service']),
    want: 'Reboot, drain',
  },
  {
    name: 'DaemonReload comes first',
    given: diffOf(['/etc/chrony.conf']),
    want: 'DaemonReload Restart chronyd.service',
  },
  {
    name: 'each service once',
    given: diffOf(['/etc/chrony.conf', '/etc/chrony.d/a', '/etc/chrony.d/b']),
    want: 'DaemonReload Restart chronyd.service',
  },
  {
    name: 'a restart stands for a reload',
    given: diffOf(['/etc/reload.conf', '/etc/chrony.d/a']),
    want: 'Restart chronyd.service Reload a.service',
  },
  {
    name: 'Drain drains without a reboot',
    given: diffOf(['/etc/drain.conf']),
    want: 'Restart a.service, drain',
  },
  {
    name: 'Reboot supersedes everything, and nothing is inert then',
    given: diffOf(['/etc/boot.conf', '/etc/chrony.conf', '/etc/x']),
    want: 'Reboot, drain',
  },
  { name: 'SSH keys', given: diffOf([], [], { sshKeys: keys }), want: '' },
  {
    name: 'kernel arguments',
    given: diffOf([], [], { kernelArguments: keys }),
    want: 'Reboot, drain',
  },
  {
    name: 'files, then units',
    given: diffOf(['/etc/chrony.d/a', '/etc/x'], ['a.service']),
    want: 'DaemonReload Restart chronyd.service Restart a.service inert /etc/x',
  },
] as const;

suite('what a change disrupts', () => {
  const policy = policyInForce({ spec: { nodeDisruptionPolicy: policies } });
  for (const { name, given, want } of rows)
    test(name, () => {
      const plan = planDisruption(given, policy);
      const drain = plan.drain ? ', drain' : '';
      const inert = plan.inert.map((path) => ` inert ${path}`).join('');
      assert.equal(`${plan.actions.map(describeAction).join(' ')}${drain}${inert}`, want);
      assert.equal(plan.reboot, want.startsWith('Reboot'));
    });

  test('causes name what changed and the rule that decided', () => {
    const { causes } = planDisruption(diffOf(['/etc/chrony.d/a'], ['x.service']), policy);
    assert.deepEqual(
      causes.map((cause) => [cause.subject, cause.name, cause.rule, cause.policy]),
      [
        ['file', '/etc/chrony.d/a', 'directory', '/etc/chrony.d'],
        ['unit', 'x.service', 'default', 'units'],
      ],
    );
  });

  test('force reboots whatever changed', () => {
    const { actions, drain } = planForced();
    assert.deepEqual({ actions, drain }, { actions: [{ type: 'Reboot' }], drain: true });
  });
});
