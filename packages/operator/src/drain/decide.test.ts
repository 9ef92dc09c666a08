import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Node, nodeAnnotation } from '@slipway/api';
import { decideDrain } from './decide.ts';

type Sketch = {
  desired?: string;
  ask?: string;
  applied?: string;
  prior?: 'true' | 'false';
  cordoned?: boolean;
};

function nodeOf({ desired = 'v1', ask, applied, prior, cordoned = false }: Sketch): Node {
  const pairs = [
    [nodeAnnotation.desiredConfig, desired],
    [nodeAnnotation.desiredDrain, ask],
    [nodeAnnotation.lastAppliedDrain, applied],
    [nodeAnnotation.priorCordon, prior],
  ] as const;
  const set = pairs.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return { metadata: { annotations: Object.fromEntries(set) }, spec: { unschedulable: cordoned } };
}

const drain = { verb: 'drain', config: 'v1' } as const;
const uncordon = { verb: 'uncordon', config: 'v1' } as const;

const rows = [
  { name: 'nothing asked', given: {}, want: { kind: 'idle' } },
  {
    name: 'nothing asked of a node that somebody cordoned',
    given: { cordoned: true },
    want: { kind: 'idle' },
  },
  {
    name: 'first the cordon',
    given: { ask: 'drain-v1' },
    want: { kind: 'cordon', prior: false, again: false },
  },
  {
    name: 'a cordon that was there is remembered',
    given: { ask: 'drain-v1', cordoned: true },
    want: { kind: 'cordon', prior: true, again: false },
  },
  {
    name: 'then the eviction',
    given: { ask: 'drain-v1', prior: 'false', cordoned: true },
    want: { kind: 'evict', request: drain },
  },
  {
    name: 'somebody uncordons during the eviction',
    given: { ask: 'drain-v1', prior: 'false' },
    want: { kind: 'cordon', prior: false, again: true },
  },
  {
    name: 'acknowledged and kept',
    given: { ask: 'drain-v1', applied: 'drain-v1', prior: 'false', cordoned: true },
    want: { kind: 'idle' },
  },
  {
    name: 'somebody uncordons while the drain is in force',
    given: { ask: 'drain-v1', applied: 'drain-v1', prior: 'true' },
    want: { kind: 'cordon', prior: true, again: true },
  },
  {
    name: 'an acknowledgement of an older configuration does not count',
    given: { ask: 'drain-v1', applied: 'drain-v0', prior: 'false', cordoned: true },
    want: { kind: 'evict', request: drain },
  },
  {
    name: 'the target changed: the drain is aborted',
    given: { ask: 'drain-v0', prior: 'false', cordoned: true },
    want: { kind: 'abort' },
  },
  {
    name: 'the request is withdrawn',
    given: { prior: 'false', cordoned: true },
    want: { kind: 'release', keepCordon: false },
  },
  {
    name: 'the request is withdrawn on a node that was cordoned before',
    given: { prior: 'true', cordoned: true },
    want: { kind: 'release', keepCordon: true },
  },
  {
    name: 'uncordon',
    given: { ask: 'uncordon-v1', prior: 'false', cordoned: true },
    want: { kind: 'uncordon', request: uncordon, keepCordon: false },
  },
  {
    name: 'uncordon keeps the cordon of somebody else',
    given: { ask: 'uncordon-v1', prior: 'true', cordoned: true },
    want: { kind: 'uncordon', request: uncordon, keepCordon: true },
  },
  {
    name: 'uncordon where nothing was drained leaves the cordon alone',
    given: { ask: 'uncordon-v1', cordoned: true },
    want: { kind: 'uncordon', request: uncordon, keepCordon: true },
  },
  {
    name: 'uncordon acknowledged',
    given: { ask: 'uncordon-v1', applied: 'uncordon-v1' },
    want: { kind: 'idle' },
  },
  {
    name: 'uncordon acknowledged, cordoned later by somebody: not ours',
    given: { ask: 'uncordon-v1', applied: 'uncordon-v1', cordoned: true },
    want: { kind: 'idle' },
  },
] as const;

for (const { name, given, want } of rows)
  test(`next step of a drain: ${name}`, () => assert.deepEqual(decideDrain(nodeOf(given)), want));
