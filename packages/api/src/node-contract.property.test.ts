import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Node } from './kubernetes/types.ts';
import {
  type AnnotationPatch,
  type DrainRequest,
  decodeNode,
  encodeDesired,
  encodeDrainApplied,
  encodeDrainRequest,
  encodePriorCordon,
  encodeState,
  isDrainApplied,
  maxReasonLength,
} from './node-contract.ts';

const config = fc
  .tuple(fc.constantFrom('master', 'worker', 'infra-2'), fc.stringMatching(/^[0-9a-f]{32}$/))
  .map(([pool, hash]) => `rendered-${pool}-${hash}`);
const state = fc.oneof(
  fc.record({ kind: fc.constant('done' as const), current: config }, { noNullPrototype: true }),
  fc.record(
    { kind: fc.constant('working' as const), current: config },
    { requiredKeys: ['kind'], noNullPrototype: true },
  ),
  fc.record(
    {
      kind: fc.constant('degraded' as const),
      current: config,
      reason: fc.string({ maxLength: maxReasonLength }),
    },
    { requiredKeys: ['kind', 'reason'], noNullPrototype: true },
  ),
);
const drain: fc.Arbitrary<DrainRequest> = fc.record(
  { verb: fc.constantFrom('drain' as const, 'uncordon' as const), config },
  { noNullPrototype: true },
);

/** What a merge patch of the annotations does. */
function apply(...patches: readonly AnnotationPatch[]): Node {
  const annotations: Record<string, string> = { other: 'kept' };
  for (const patch of patches)
    for (const [key, value] of Object.entries(patch))
      if (value === null) delete annotations[key];
      else annotations[key] = value;
  return { metadata: { annotations } };
}

test('what is encoded is what is decoded', () => {
  fc.assert(
    fc.property(state, config, drain, fc.boolean(), (given, desired, request, prior) => {
      const node = apply(
        encodeState(given),
        encodeDesired(desired),
        encodeDrainRequest(request),
        encodeDrainApplied(request),
        encodePriorCordon(prior),
      );
      const contract = decodeNode(node);
      assert.deepEqual(contract, {
        state: given,
        desired,
        drainRequest: request,
        drainApplied: request,
        drainInForce: true,
        priorCordon: prior,
      });
      assert.equal(isDrainApplied(contract, request), true);
    }),
  );
});

test('the last state wins whatever was said before, and no stale reason survives', () => {
  fc.assert(
    fc.property(fc.array(state, { maxLength: 4 }), state, (before, last) => {
      const contract = decodeNode(apply(...before.map(encodeState), encodeState(last)));
      assert.equal(contract.state.kind, last.kind);
      if (last.kind === 'degraded' && contract.state.kind === 'degraded')
        assert.equal(contract.state.reason, last.reason);
    }),
  );
});

test('decoding never throws, whatever is in the annotations', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), fc.string(), (others, value) => {
      const keys = Object.keys(encodeDrainRequest(undefined));
      const annotations = { ...others, ...Object.fromEntries(keys.map((key) => [key, value])) };
      const { drainRequest } = decodeNode({ metadata: { annotations } });
      if (drainRequest !== undefined)
        assert.equal(value, `${drainRequest.verb}-${drainRequest.config}`);
    }),
  );
});
