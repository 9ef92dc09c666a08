import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compareBytes } from '@slipway/base';
import { ApiError, kubeErrorCodes, toApiFailure } from './errors.ts';

test('every code that the room raises is in the catalogue, and none beyond', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const raised = new Set<string>();
  for (const file of globSync('**/*.ts', { cwd: folder })) {
    if (file.endsWith('.test.ts')) continue;
    const text = readFileSync(`${folder}${file}`, 'utf8');
    for (const match of text.matchAll(/code: '(kube\.[a-z-]+)'/g)) raised.add(match[1] ?? '');
  }
  assert.deepEqual([...raised].sort(compareBytes), Object.keys(kubeErrorCodes).sort(compareBytes));
});

test('a failure without a Status gets one', () => {
  const table = [
    { given: '', want: 'the server answered 502' },
    { given: '<html>bad gateway', want: '<html>bad gateway' },
    { given: '[]', want: '[]' },
    { given: '{"kind":"Status","message":"known","code":500}', want: 'known' },
  ];
  for (const { given, want } of table) {
    assert.equal(toApiFailure(502, given).message, want);
  }
  const kinds = [400, 403, 404, 422, 409, 429, 500, 503].map(
    (code) => new ApiError('GET /x', { code }).kind,
  );
  assert.deepEqual(kinds, [...Array(4).fill('terminal'), ...Array(4).fill('transient')]);
});
