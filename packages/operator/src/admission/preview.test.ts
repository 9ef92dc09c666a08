import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultObjects,
  type MachineConfig,
  type MachineConfigPool,
  roleLabel,
} from '@slipway/api';
import { previewIssues } from './preview.ts';

const pools = defaultObjects().flatMap(({ object }) =>
  object.kind === 'MachineConfigPool' ? [object as MachineConfigPool] : [],
);

function configOf(name: string, path: string, mode: number, role = 'worker'): MachineConfig {
  return {
    metadata: { name, labels: { [roleLabel]: role } },
    spec: { config: { ignition: { version: '3.4.0' }, storage: { files: [{ path, mode }] } } },
  };
}

const rows = [
  { name: 'nothing in its way', given: configOf('50-x', '/etc/b', 0o600), want: [] },
  {
    name: 'it wins over an earlier one',
    given: configOf('50-x', '/etc/a', 0o600),
    want: [/in pool worker it overrides storage\.files\["\/etc\/a"\]\.mode of 10-a/],
  },
  {
    name: 'a later one wins over it',
    given: configOf('00-x', '/etc/a', 0o600),
    want: [/in pool worker it is overridden: .*mode by 10-a/],
  },
  { name: 'another role', given: configOf('50-x', '/etc/a', 0o600, 'infra'), want: [] },
  {
    name: 'valid by itself, but not with the others',
    given: configOf('50-x', '/etc/a/b', 0o600),
    want: [/pool worker cannot be rendered with it and keeps what it has: .*\/etc\/a/],
  },
  {
    name: 'a change of the only one that says so',
    given: configOf('10-a', '/etc/a', 0o600),
    want: [],
  },
] as const;

for (const { name, given, want } of rows)
  test(`what a MachineConfig does to pools: ${name}`, () => {
    const machineConfigs = [configOf('10-a', '/etc/a', 0o644)];
    const issues = previewIssues(given, { pools, machineConfigs });
    assert.equal(issues.length, want.length, JSON.stringify(issues));
    for (const [index, pattern] of want.entries()) {
      assert.match(issues[index]?.message ?? '', pattern);
      assert.equal(issues[index]?.severity, 'warning');
    }
  });
