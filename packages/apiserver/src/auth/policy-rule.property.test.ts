import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@slipway/api';
import fc from 'fast-check';
import type { RequestAttributes } from '../contract.ts';
import { ruleAllows, uncovered } from './policy-rule.ts';

const verbs = ['get', 'list', 'delete', '*'];
const groups = ['', 'apps', '*'];
const resources = ['pods', 'pods/status', 'nodes', '*', '*/status'];
const names = ['a', 'b'];
const urls = ['/api', '/api/*', '/healthz', '*'];

const some = (values: string[]) => fc.subarray(values, { minLength: 1, maxLength: 2 });

const rules: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({
    verbs: some(verbs),
    apiGroups: some(groups),
    resources: some(resources),
    resourceNames: fc.subarray(names),
  }),
  fc.record({ verbs: some(verbs), nonResourceURLs: some(urls) }),
);

const user = { name: 'u', groups: [] };
const requests: fc.Arbitrary<RequestAttributes> = fc.oneof(
  fc.record({
    user: fc.constant(user),
    verb: fc.constantFrom('get', 'list', 'delete', 'patch'),
    apiGroup: fc.constantFrom('', 'apps', 'batch'),
    resource: fc.constantFrom('pods', 'nodes', 'jobs'),
    subresource: fc.constantFrom('', 'status', 'log'),
    name: fc.constantFrom('', 'a', 'b', 'c'),
  }),
  fc.record({
    user: fc.constant(user),
    verb: fc.constantFrom('get', 'list'),
    path: fc.constantFrom('/api', '/api/v1', '/healthz', '/metrics'),
  }),
);

test('rules cover themselves', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 3 }), (owned) => {
      assert.deepEqual(uncovered(owned, owned), []);
    }),
  );
});

test('who covers a rule may do whatever it allows', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 4 }), rules, requests, (owned, wanted, request) => {
      fc.pre(uncovered(owned, [wanted]).length === 0 && ruleAllows(wanted, request));
      assert.ok(owned.some((rule) => ruleAllows(rule, request)));
    }),
    { numRuns: 300, maxSkipsPerRun: 1000 },
  );
});
