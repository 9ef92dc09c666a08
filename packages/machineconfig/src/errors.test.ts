import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueCode } from './errors.ts';

test('codes of issues are unique and say where they belong', () => {
  const codes = Object.values(issueCode);
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes)
    assert.match(code, /^(pool|machineconfig|render|disruption)(\.[a-z-]+)+$/);
});
