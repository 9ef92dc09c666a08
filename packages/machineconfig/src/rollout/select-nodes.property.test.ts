import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBytes } from '@slipway/base';
import fc from 'fast-check';
import { type NodeSketch, nodeOf } from '../testing/node-of.ts';
import {
  isSettled,
  isUntouched,
  type ObservedNode,
  observeNode,
  whyUnavailable,
} from './observe-node.ts';
import { selectNodes } from './select-nodes.ts';

const config = fc.constantFrom('v0', 'v1', 'bad');
const sketch: fc.Arbitrary<Omit<NodeSketch, 'name'>> = fc.record(
  {
    current: config,
    desired: config,
    state: fc.constantFrom('Done' as const, 'Working' as const, 'Degraded' as const),
    ready: fc.boolean(),
    cordoned: fc.boolean(),
    age: fc.nat(5),
  },
  { requiredKeys: [] },
);
const fleet = fc
  .array(sketch, { minLength: 1, maxLength: 12 })
  .map((list) => list.map((item, index) => observeNode(nodeOf({ ...item, name: `n${index}` }))));

/** The node after the operator wrote the target: not Done, hence out of service. */
function targeted(node: ObservedNode, target: string): ObservedNode {
  return { ...node, contract: { ...node.contract, desired: target } };
}

function unavailable(nodes: readonly ObservedNode[]): number {
  return nodes.filter((node) => whyUnavailable(node) !== undefined).length;
}

function isChanging(node: ObservedNode): boolean {
  return !isSettled(node) && !isUntouched(node);
}

test('never more than maxUnavailable: targeting adds nobody above the limit', () => {
  fc.assert(
    fc.property(
      fleet,
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      (nodes, limit, controlPlane) => {
        const { fresh, retarget } = selectNodes({
          target: 'v1',
          nodes,
          maxUnavailable: limit,
          controlPlane,
        });
        const chosen = new Set([...fresh, ...retarget]);
        const after = nodes.map((node) => (chosen.has(node.name) ? targeted(node, 'v1') : node));
        const allowed = controlPlane ? 1 : limit;
        assert.ok(unavailable(after) <= Math.max(allowed, unavailable(nodes)));
        const before = nodes.filter(isChanging).length;
        assert.ok(after.filter(isChanging).length <= Math.max(allowed, before));
        // Only a fresh node goes out of service; what is retargeted was out already.
        for (const node of nodes)
          if (retarget.includes(node.name)) assert.notEqual(whyUnavailable(node), undefined);
      },
    ),
    { numRuns: 2000 },
  );
});

test('every outdated node is chosen or waits with a reason, and no other is named', () => {
  fc.assert(
    fc.property(
      fleet,
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      (nodes, limit, controlPlane) => {
        const { fresh, retarget, waiting } = selectNodes({
          target: 'v1',
          nodes,
          maxUnavailable: limit,
          controlPlane,
        });
        const named = [...fresh, ...retarget, ...waiting.map(({ node }) => node)].sort(
          compareBytes,
        );
        const outdated = nodes.filter(({ contract }) => contract.desired !== 'v1');
        assert.deepEqual(named, outdated.map(({ name }) => name).sort(compareBytes));
      },
    ),
  );
});

test('a rollout ends: nodes that do as they are told all arrive, within the limit throughout', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(11), { maxLength: 60 }),
      (count, limit, order) => {
        let nodes = Array.from({ length: count }, (_, index) =>
          observeNode(nodeOf({ name: `n${index}`, current: 'v0', desired: 'v0', state: 'Done' })),
        );
        // Completions come in any order; the tail completes whatever is left.
        for (const turn of [...order, ...Array.from({ length: 4 * count }, (_, i) => i)]) {
          const { fresh } = selectNodes({
            target: 'v1',
            nodes,
            maxUnavailable: limit,
            controlPlane: false,
          });
          nodes = nodes.map((node) => (fresh.includes(node.name) ? targeted(node, 'v1') : node));
          assert.ok(unavailable(nodes) <= limit);
          nodes = nodes.map((node, index) =>
            index === turn % count && node.contract.desired === 'v1'
              ? { ...node, contract: { ...node.contract, state: { kind: 'done', current: 'v1' } } }
              : node,
          );
        }
        assert.equal(unavailable(nodes), 0);
        assert.ok(nodes.every(({ contract }) => contract.desired === 'v1'));
      },
    ),
    { numRuns: 200 },
  );
});
