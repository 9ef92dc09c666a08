import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeNode,
  encodeDrainRequest,
  encodeState,
  isDrainApplied,
  maxReasonLength,
  nodeAnnotation,
} from './node-contract.ts';

const rows = [
  { name: 'no annotations', given: {}, want: { kind: 'unknown' } },
  {
    name: 'done',
    given: { state: 'Done', currentConfig: 'rendered-worker-1' },
    want: { kind: 'done', current: 'rendered-worker-1' },
  },
  {
    name: 'done without a configuration is not done',
    given: { state: 'Done' },
    want: { kind: 'unknown' },
  },
  { name: 'working before adoption', given: { state: 'Working' }, want: { kind: 'working' } },
  {
    name: 'degraded without a reason',
    given: { state: 'Degraded' },
    want: { kind: 'degraded', reason: '' },
  },
  {
    name: 'wrong case',
    given: { state: 'done', currentConfig: 'a' },
    want: { kind: 'unknown', current: 'a' },
  },
] as const;

for (const { name, given, want } of rows)
  test(`state of a node: ${name}`, () => {
    const annotations = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [
        nodeAnnotation[key as keyof typeof nodeAnnotation],
        value,
      ]),
    );
    assert.deepEqual(decodeNode({ metadata: { annotations } }).state, want);
  });

test('a long reason is cut, the annotations of a healthy node carry none', () => {
  const patch = encodeState({ kind: 'degraded', reason: 'x'.repeat(maxReasonLength + 1) });
  assert.equal(patch[nodeAnnotation.reason]?.length, maxReasonLength);
  assert.equal(encodeState({ kind: 'done', current: 'a' })[nodeAnnotation.reason], null);
});

test('an acknowledgement counts for exactly its request', () => {
  const contract = decodeNode({
    metadata: { annotations: { [nodeAnnotation.lastAppliedDrain]: 'drain-rendered-worker-1' } },
  });
  assert.equal(isDrainApplied(contract, { verb: 'drain', config: 'rendered-worker-1' }), true);
  assert.equal(isDrainApplied(contract, { verb: 'uncordon', config: 'rendered-worker-1' }), false);
  assert.equal(isDrainApplied(contract, { verb: 'drain', config: 'rendered-worker-2' }), false);
  assert.deepEqual(encodeDrainRequest(undefined), { [nodeAnnotation.desiredDrain]: null });
});
