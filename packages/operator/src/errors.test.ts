import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorErrorCodes, operatorIssueCode } from './errors.ts';

test('codes are unique, of this room, and explained', () => {
  const codes = [...Object.keys(operatorErrorCodes), ...Object.values(operatorIssueCode)];
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) assert.match(code, /^(operator|admission)(\.[a-z-]+)+$/);
  for (const text of Object.values(operatorErrorCodes)) assert.ok(text.length > 20);
});
