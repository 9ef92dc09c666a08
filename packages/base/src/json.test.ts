import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canonicalJson, compareBytes, jsonEqual } from './json.ts';

suite('canonicalJson', () => {
  const cases = [
    {
      name: 'orders keys',
      given: { b: 1, a: [{ d: 1, c: 2 }] },
      want: '{"a":[{"c":2,"d":1}],"b":1}',
    },
    { name: 'drops undefined members', given: { a: undefined, b: null }, want: '{"b":null}' },
    {
      name: 'orders keys by code point, not by UTF-16 unit',
      given: { '\u{1f600}': 1, '\uffee': 2 },
      want: '{"\uffee":2,"\u{1f600}":1}',
    },
    { name: 'keeps array order', given: [2, 1], want: '[2,1]' },
    { name: 'undefined in an array is null, as in JSON', given: [undefined], want: '[null]' },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.equal(canonicalJson(given), want));
});

suite('jsonEqual', () => {
  const cases: { name: string; given: [unknown, unknown]; want: boolean }[] = [
    {
      name: 'key order does not matter',
      given: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      want: true,
    },
    { name: 'undefined counts as absent', given: [{ a: undefined }, {}], want: true },
    { name: 'null is not absent', given: [{ a: null }, {}], want: false },
    {
      name: 'array order matters',
      given: [
        [1, 2],
        [2, 1],
      ],
      want: false,
    },
    { name: 'array is not object', given: [[], {}], want: false },
    { name: 'deep difference', given: [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }], want: false },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.equal(jsonEqual(...given), want));
});

test('compareBytes orders as UTF-8 bytes do', () => {
  const words = ['b', 'a', 'ab', '', '\u{1f600}', '\uffee', 'é'];
  const bytes = [...words].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  assert.deepEqual([...words].sort(compareBytes), bytes);
});
