import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeIsOver, withinTime } from './bounded-time.ts';
import { createObjectSchema } from './object-schema.ts';

test('what work returns or throws comes through', () => {
  assert.deepEqual(
    withinTime(() => [1]),
    [1],
  );
  const failure = new RangeError('x');
  const run = () =>
    withinTime(() => {
      throw failure;
    });
  assert.throws(run, (error) => error === failure);
});

test('endless work ends', () => {
  const endless = () => {
    for (;;);
  };
  assert.throws(() => withinTime(endless), TimeIsOver);
});

test('a pattern that backtracks for ever is an error of the object', () => {
  const schema = createObjectSchema({
    type: 'object',
    properties: { a: { type: 'string', pattern: '^(?:(?:a{1,10}){1,10}){1,10}$' } },
  });
  const object = { apiVersion: 'ex.io/v1', kind: 'X', metadata: {}, a: `${'a'.repeat(60)}!` };
  const [error] = schema.validate(object, undefined);
  assert.match(error?.message ?? '', /took longer than 1500 ms/);
});
