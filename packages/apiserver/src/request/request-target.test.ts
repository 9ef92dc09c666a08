import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRequestPath } from './request-path.ts';
import { parseRequestTarget } from './request-target.ts';

const targets: readonly { given: string; want: string }[] = [
  { given: '', want: '/' },
  { given: '/', want: '/' },
  { given: '/api/v1/nodes?limit=1', want: '/api/v1/nodes?limit=1' },
  { given: '/api?a=b?c#d', want: '/api?a=b%3Fc' },
  { given: '//', want: '//' },
  { given: '//api/v1/nodes', want: '//api/v1/nodes' },
  { given: '/\\evil:99999999/', want: '/\\evil:99999999/' },
  { given: '/api/v1/../x', want: '/api/v1/../x' },
  { given: 'https://server:1/version?x=1', want: '/version?x=1' },
  { given: 'https://[/', want: '/' },
  { given: '*', want: '*' },
];

for (const { given, want } of targets) {
  test(`request target ${given}`, () => {
    const { path, query } = parseRequestTarget(given);
    assert.equal(query.size === 0 ? path : `${path}?${query}`, want);
  });
}

test('no request target throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parseRequestPath(parseRequestTarget(text).path);
      parseRequestPath(parseRequestTarget(`/${text}`).path);
    }),
  );
});
