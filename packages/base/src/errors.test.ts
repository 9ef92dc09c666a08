import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { describeError, TransientError, UserError } from './errors.ts';

suite('describeError', () => {
  const cases = [
    { name: 'message alone', given: new Error('a'), want: 'a' },
    {
      name: 'causes in order',
      given: new Error('a', { cause: new Error('b', { cause: 'c' }) }),
      want: 'a: b: c',
    },
    {
      name: 'a cause that is already worded is not repeated',
      given: new Error('a: b', { cause: new Error('b') }),
      want: 'a: b',
    },
    { name: 'anything thrown', given: 42, want: '42' },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.equal(describeError(given), want));
});

test('an error carries its kind, code, name and cause', () => {
  const cause = new Error('why');
  const error = new UserError('read file x: no such file', { code: 'file-missing', cause });
  assert.deepEqual(
    [error.kind, error.code, error.name, error.cause],
    ['user', 'file-missing', 'UserError', cause],
  );
  assert.equal(new TransientError('x', { code: 'y' }).cause, undefined);
});
