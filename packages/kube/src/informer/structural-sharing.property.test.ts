import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonEqual } from '@slipway/base';
import fc from 'fast-check';
import { shareStructure } from './structural-sharing.ts';

test('the result always equals the new value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      assert.deepEqual(shareStructure(before, after), after);
    }),
  );
});

test('an equal value is the old one itself, whatever the order of its members', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3 }), (value) => {
      const before = JSON.parse(JSON.stringify(value));
      const after = JSON.parse(JSON.stringify(value));
      assert.equal(shareStructure(before, after), before);
    }),
  );
});

test('parts that did not change are shared', () => {
  const before = { metadata: { labels: { a: '1' } }, status: { list: [{ x: 1 }, { y: 2 }] } };
  const after = { metadata: { labels: { a: '2' } }, status: { list: [{ x: 1 }, { y: 2 }] } };
  const result = shareStructure(before, after);
  assert.ok(jsonEqual(result, after));
  assert.equal(result.status, before.status);
  assert.deepEqual(before.metadata.labels, { a: '1' });
});
