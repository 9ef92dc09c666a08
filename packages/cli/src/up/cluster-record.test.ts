import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeRecord } from './cluster-record.ts';
import { type ClusterRecord, hostPlaces } from './settings.ts';

const stored: ClusterRecord = {
  formatVersion: 1,
  nodes: 2,
  controlPlanes: 1,
  hosts: 'simulated',
  port: 7000,
};

const merged = [
  { name: 'new, no flags', stored: undefined, flags: {}, want: [3, 1, 'simulated'] },
  {
    name: 'new, flags',
    stored: undefined,
    flags: { nodes: 0, controlPlanes: 3, hosts: 'nspawn' },
    want: [0, 3, 'nspawn'],
  },
  { name: 'as before', stored, flags: {}, want: [2, 1, 'simulated'] },
  { name: 'more', stored, flags: { nodes: 5 }, want: [5, 1, 'simulated'] },
] as const;
for (const { name, stored: before, flags, want } of merged) {
  test(`record: ${name}`, () => {
    const record = mergeRecord(before, flags);
    assert.deepEqual([record.nodes, record.controlPlanes, record.hosts], want);
  });
}

const refused = [
  { name: 'fewer workers', flags: { nodes: 1 }, want: /--nodes 1.*has 2/ },
  { name: 'other hosts', flags: { hosts: 'nspawn' }, want: /nspawn.*simulated/ },
] as const;
for (const { name, flags, want } of refused) {
  test(`refused: ${name}`, () => {
    assert.throws(() => mergeRecord(stored, flags), { name: 'UserError', message: want });
  });
}

test('control planes come first, then workers by number', () => {
  assert.deepEqual(
    hostPlaces({ ...stored, controlPlanes: 1 }, '/d').map(({ name, role, directory }) => [
      name,
      role,
      directory,
    ]),
    [
      ['control-plane-1', 'control-plane', '/d/control-plane-1'],
      ['worker-1', 'worker', '/d/worker-1'],
      ['worker-2', 'worker', '/d/worker-2'],
    ],
  );
});
