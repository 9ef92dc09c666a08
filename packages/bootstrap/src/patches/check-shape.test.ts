import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkShape } from './check-shape.ts';

const before = {
  name: 'a',
  on: true,
  count: 1,
  port: 'http',
  list: [{ name: 'a', command: ['a'] }],
  none: null,
  resources: { requests: { cpu: '100m' } },
};

suite('checkShape', () => {
  const right = [
    { name: 'the same', given: before },
    { name: 'members that come and go', given: { other: 1, name: null } },
    { name: 'a port as a number', given: { port: 80 } },
    { name: 'an amount as a number', given: { resources: { requests: { cpu: 1 } } } },
    { name: 'elements that come', given: { list: [{ name: 'b' }, { other: 1 }] } },
    { name: 'anything where nothing was', given: { none: [1] } },
    { name: 'an empty list', given: { list: [] } },
  ];
  for (const { name, given } of right) {
    test(name, () => assert.doesNotThrow(() => checkShape(before, given)));
  }

  const wrong = [
    { name: 'an object for a list', given: { list: { name: 'a' } }, want: /^\/list is a list/ },
    { name: 'text for a number', given: { count: '1' }, want: /^\/count .*text/ },
    { name: 'text for a boolean', given: { on: 'true' }, want: /^\/on / },
    { name: 'a boolean for text', given: { name: true }, want: /^\/name / },
    { name: 'a list for a port', given: { port: [80] }, want: /^\/port / },
    { name: 'an element of another type', given: { list: [{}, 'b'] }, want: /^\/list\/1 / },
    {
      name: 'deep inside',
      given: { list: [{ command: ['a', 1] }] },
      want: /^\/list\/0\/command\/1 /,
    },
    { name: 'a list for all', given: [], want: /^the object is an object/ },
  ];
  for (const { name, given, want } of wrong) {
    test(name, () => assert.throws(() => checkShape(before, given), { message: want }));
  }
});
