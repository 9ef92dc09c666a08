import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import type { StoredObject } from '../../contract.ts';
import { builtinKinds } from '../builtin-kinds.ts';
import { humanDuration } from '../human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const durations: readonly { given: number; want: string }[] = [
  { given: -5 * second, want: '<invalid>' },
  { given: 0, want: '0s' },
  { given: 119 * second, want: '119s' },
  { given: 2 * minute, want: '2m' },
  { given: 5 * minute + 30 * second, want: '5m30s' },
  { given: 12 * minute + 30 * second, want: '12m' },
  { given: 3 * hour + 12 * minute, want: '3h12m' },
  { given: 9 * hour + 12 * minute, want: '9h' },
  { given: 5 * day + 4 * hour, want: '5d4h' },
  { given: 100 * day, want: '100d' },
  { given: (2 * 365 + 10) * day, want: '2y10d' },
  { given: 9 * 365 * day, want: '9y' },
];

for (const { given, want } of durations) {
  test(`duration ${want}`, () => assert.equal(humanDuration(given), want));
}

const clock = new VirtualClock(Date.parse('2026-01-01T01:00:00Z'));
const created = '2026-01-01T00:00:00Z';
const kinds = builtinKinds(clock);

function row(plural: string, object: object): readonly unknown[] {
  const definition = kinds.find((kind) => kind.plural === plural);
  if (definition === undefined) throw new Error(`${plural} is not served`);
  const whole = { metadata: { name: 'x', creationTimestamp: created }, ...object } as StoredObject;
  const narrow = definition.columns.filter((column) => (column.priority ?? 0) === 0);
  return narrow.map((column) => column.value(whole));
}

const ready = { type: 'Ready', status: 'True' };
const rows: readonly { name: string; plural: string; object: object; want: readonly unknown[] }[] =
  [
    {
      name: 'a node that says nothing',
      plural: 'nodes',
      object: {},
      want: ['x', 'Unknown', '<none>', '60m', ''],
    },
    {
      name: 'a cordoned node',
      plural: 'nodes',
      object: {
        metadata: {
          name: 'x',
          creationTimestamp: created,
          labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/edge': '' },
        },
        spec: { unschedulable: true },
        status: { conditions: [ready], nodeInfo: { kubeletVersion: 'v1.36.0' } },
      },
      want: ['x', 'Ready,SchedulingDisabled', 'edge,worker', '60m', 'v1.36.0'],
    },
    {
      name: 'a running pod that restarted',
      plural: 'pods',
      object: {
        spec: { containers: [{ name: 'c' }] },
        status: {
          phase: 'Running',
          conditions: [ready],
          containerStatuses: [
            {
              name: 'c',
              ready: true,
              restartCount: 3,
              state: { running: {} },
              lastState: { terminated: { finishedAt: '2026-01-01T00:58:00Z' } },
            },
          ],
        },
      },
      want: ['x', '1/1', 'Running', '3 (2m ago)', '60m'],
    },
    {
      name: 'a crashing pod',
      plural: 'pods',
      object: {
        spec: { containers: [{ name: 'c' }] },
        status: {
          phase: 'Running',
          containerStatuses: [
            { name: 'c', restartCount: 0, state: { waiting: { reason: 'CrashLoopBackOff' } } },
          ],
        },
      },
      want: ['x', '0/1', 'CrashLoopBackOff', '0', '60m'],
    },
    {
      name: 'a pod in its init containers',
      plural: 'pods',
      object: {
        spec: { initContainers: [{ name: 'i' }, { name: 'j' }], containers: [{ name: 'c' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [{ name: 'i', restartCount: 0, state: { running: {} } }],
        },
      },
      want: ['x', '0/1', 'Init:0/2', '0', '60m'],
    },
    {
      name: 'a pod that goes',
      plural: 'pods',
      object: {
        metadata: { name: 'x', creationTimestamp: created, deletionTimestamp: created },
        spec: { containers: [{ name: 'c' }] },
        status: { phase: 'Running' },
      },
      want: ['x', '0/1', 'Terminating', '0', '60m'],
    },
    {
      name: 'a budget',
      plural: 'poddisruptionbudgets',
      object: { spec: { maxUnavailable: '25%' }, status: { disruptionsAllowed: 2 } },
      want: ['x', 'N/A', '25%', 2, '60m'],
    },
    {
      name: 'an issued request',
      plural: 'certificatesigningrequests',
      object: {
        spec: { signerName: 'ex.io/s', username: 'bob', expirationSeconds: 86400 },
        status: { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'x' },
      },
      want: ['x', '60m', 'ex.io/s', 'bob', '24h', 'Approved,Issued'],
    },
  ];

for (const { name, plural, object, want } of rows) {
  test(`row of ${name}`, () => assert.deepEqual(row(plural, object), want));
}
