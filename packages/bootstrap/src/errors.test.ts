import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapErrors } from './errors.ts';

test('every code is of this room and says what it means', () => {
  for (const [code, meaning] of Object.entries(bootstrapErrors)) {
    assert.match(code, /^bootstrap\.[a-z-]+\.[a-z-]+$/);
    assert.ok(meaning.length > 10, code);
  }
});
