import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { knownFeatureGates } from './feature-gates.ts';
import { insteadOfFeatureGate } from './former-feature-gates.ts';

suite('insteadOfFeatureGate', () => {
  test('a gate that a supported minor had and the newest has not is answered', () => {
    const newest = knownFeatureGates(37);
    for (const gate of [34, 35, 36].flatMap(knownFeatureGates)) {
      assert.equal(insteadOfFeatureGate(gate) === undefined, newest.includes(gate), gate);
    }
  });

  test('what never was a gate has no successor', () =>
    assert.equal(insteadOfFeatureGate('Unheard'), undefined));
});
