import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type LabelSelector, roleLabel } from '@slipway/api';
import { poolIssues } from './pool-issues.ts';

const inRoles = (...values: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key: roleLabel, operator: 'In', values }],
});
const worker = inRoles('worker');
const labelled: LabelSelector = { matchLabels: { a: '' } };

const rows = [
  { name: 'worker', pool: 'worker', configs: worker, nodes: labelled, want: [] },
  {
    name: 'custom that inherits',
    pool: 'infra',
    configs: inRoles('worker', 'infra'),
    nodes: labelled,
    want: [],
  },
  {
    name: 'custom with worker alone',
    pool: 'infra',
    configs: { matchLabels: { [roleLabel]: 'worker' } },
    nodes: labelled,
    want: [],
  },
  {
    name: 'custom without worker',
    pool: 'infra',
    configs: inRoles('infra'),
    nodes: labelled,
    want: ['spec.machineConfigSelector'],
  },
  {
    name: 'custom that excludes rather than selects',
    pool: 'infra',
    configs: { matchExpressions: [{ key: roleLabel, operator: 'NotIn', values: ['master'] }] },
    nodes: labelled,
    want: ['spec.machineConfigSelector'],
  },
  {
    name: 'selects everything',
    pool: 'worker',
    configs: {},
    nodes: {},
    want: ['spec.machineConfigSelector', 'spec.nodeSelector'],
  },
  {
    name: 'operator that does not exist',
    pool: 'worker',
    configs: worker,
    nodes: { matchExpressions: [{ key: 'a', operator: 'Like' as 'In', values: ['b'] }] },
    want: ['spec.nodeSelector.matchExpressions[0].operator'],
  },
] as const;

suite('what is wrong with a pool', () => {
  for (const { name, pool, configs, nodes, want } of rows)
    test(name, () => {
      const issues = poolIssues({
        metadata: { name: pool },
        spec: { machineConfigSelector: configs, nodeSelector: nodes },
      });
      assert.deepEqual(
        issues.map(({ path }) => path),
        want,
      );
    });
});
