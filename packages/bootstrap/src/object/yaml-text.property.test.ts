import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { yamlText } from './yaml-text.ts';

suite('yamlText', () => {
  const cases = [
    { name: 'an address that is no plain text', given: { a: '::' }, want: "a: '::'\n" },
    { name: 'an address that is', given: { a: 'fd00::1' }, want: 'a: fd00::1\n' },
    { name: 'a number as text', given: { a: '0' }, want: 'a: "0"\n' },
    { name: 'a truth as text', given: { a: 'yes' }, want: 'a: "yes"\n' },
    { name: 'empty text', given: { a: '' }, want: 'a: ""\n' },
    {
      name: 'order, and lists at the level of their member',
      given: { b: [1], a: {} },
      want: 'a: {}\nb:\n- 1\n',
    },
    { name: 'lines', given: { a: 'x\ny\n' }, want: 'a: |\n  x\n  y\n' },
    { name: 'a duration', given: { a: '4m0s' }, want: 'a: 4m0s\n' },
  ];
  for (const { name, given, want } of cases) test(name, () => assert.equal(yamlText(given), want));

  test('whatever is written is read as the same, by YAML 1.1 and 1.2', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const expected: unknown = JSON.parse(JSON.stringify(value));
        // JSON has no negative zero.
        const text = yamlText({ value: expected });
        assert.deepEqual(parse(text), { value: expected });
        assert.deepEqual(parse(text, { version: '1.1' }), { value: expected });
      }),
    );
  });
});
