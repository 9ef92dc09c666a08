import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { DisruptionAction, MachineConfiguration } from '@slipway/api';
import { machineConfigurationIssues } from './policy-issues.ts';

const reboot: DisruptionAction = { type: 'Reboot' };
const drain: DisruptionAction = { type: 'Drain' };

type Policy = NonNullable<NonNullable<MachineConfiguration['spec']>['nodeDisruptionPolicy']>;
const filePolicy = (path: string, actions: readonly unknown[]): Policy => ({
  files: [{ path, actions: actions as readonly DisruptionAction[] }],
});

const at = 'spec.nodeDisruptionPolicy.files[0]';
const rows: readonly { name: string; given: Policy; want: readonly string[] }[] = [
  { name: 'nothing', given: {}, want: [] },
  { name: 'valid', given: filePolicy('/etc/a', [drain]), want: [] },
  {
    name: 'Reboot is not alone',
    given: filePolicy('/etc/a', [reboot, drain]),
    want: [`error ${at}.actions`],
  },
  {
    name: 'Restart without a service',
    given: filePolicy('/etc/a', [{ type: 'Restart' }]),
    want: [`error ${at}.actions[0]`],
  },
  {
    name: 'Reload that names a service to restart',
    given: filePolicy('/etc/a', [{ type: 'Reload', restart: { serviceName: 'a.service' } }]),
    want: [`error ${at}.actions[0]`, `error ${at}.actions[0]`],
  },
  {
    name: 'a service without a suffix',
    given: filePolicy('/etc/a', [{ type: 'Restart', restart: { serviceName: 'chronyd' } }]),
    want: [`error ${at}.actions[0].restart.serviceName`],
  },
  {
    name: 'an instance of a template',
    given: filePolicy('/etc/a', [
      { type: 'Restart', restart: { serviceName: 'getty@tty1.service' } },
    ]),
    want: [],
  },
  {
    name: 'eleven actions',
    given: filePolicy('/etc/a', Array(11).fill(drain)),
    want: [`error ${at}.actions`],
  },
  {
    name: 'a path that matches nothing',
    given: filePolicy('etc/a', [drain]),
    want: [`warning ${at}.path`],
  },
  {
    name: 'a path that is not clean',
    given: filePolicy('/etc/../a', [drain]),
    want: [`warning ${at}.path`],
  },
  {
    name: 'two policies for one directory',
    given: {
      files: [
        { path: '/etc/a', actions: [drain] },
        { path: '/etc/a/', actions: [drain] },
      ],
    },
    want: ['warning spec.nodeDisruptionPolicy.files[1]'],
  },
  {
    name: 'a unit and the keys',
    given: { units: [{ name: 'a', actions: [drain] }], sshkey: { actions: [reboot, reboot] } },
    want: [
      'error spec.nodeDisruptionPolicy.units[0].name',
      'error spec.nodeDisruptionPolicy.sshkey.actions',
    ],
  },
];

suite('what is wrong with a disruption policy', () => {
  for (const { name, given, want } of rows)
    test(name, () => {
      const issues = machineConfigurationIssues({
        metadata: { name: 'cluster' },
        spec: { nodeDisruptionPolicy: given },
      });
      assert.deepEqual(
        issues.map(({ severity, path }) => `${severity} ${path}`),
        want,
      );
    });
});
