import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directoryOf } from './directory-flag.ts';

for (const given of ['pki', '~/pki', '', '/a/../b', '/..']) {
  test(`directory flag "${given}" is refused as usage`, () => {
    assert.throws(() => directoryOf('--cert-dir', given), { code: 'cli.usage', kind: 'user' });
  });
}

test('an absolute directory is what it is', () => {
  for (const given of ['/', '/a b/c', '/a..b']) assert.equal(directoryOf('--x', given), given);
});
