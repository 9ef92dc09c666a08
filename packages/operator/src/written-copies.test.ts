import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@slipway/api';
import { WrittenCopies } from './written-copies.ts';

const at = (resourceVersion: string): KubeObject => ({ metadata: { name: 'n', resourceVersion } });

test('what was written counts until the cache has caught up', () => {
  const copies = new WrittenCopies<KubeObject>();
  copies.note(at('10'));
  assert.equal(copies.newest(at('9')).metadata?.resourceVersion, '10', 'numbers, not letters');
  assert.equal(copies.newest(at('10')).metadata?.resourceVersion, '10');
  assert.equal(copies.newest(at('9')).metadata?.resourceVersion, '9', 'dropped once caught up');
});

test('an older answer does not replace a newer one', () => {
  const copies = new WrittenCopies<KubeObject>();
  copies.note(at('10'));
  copies.note(at('7'));
  assert.equal(copies.newest(at('1')).metadata?.resourceVersion, '10');
});

test('a version that is no number never hides the cache', () => {
  const copies = new WrittenCopies<KubeObject>();
  copies.note(at('abc'));
  assert.equal(copies.newest(at('9')).metadata?.resourceVersion, '9');
});
