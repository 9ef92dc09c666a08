import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '@slipway/base';
import { parseYamlSubset } from './yaml-subset.ts';

test('what is read', () => {
  const table = [
    {
      name: 'scalars',
      given: 'a: x\nb: true\nc: ~\nd:\ne: 12',
      want: { a: 'x', b: true, c: null, d: null, e: '12' },
    },
    {
      name: 'quotes',
      given: `a: "x\\n: #"\nb: 'it''s'\n"c d": 1`,
      want: { a: 'x\n: #', b: "it's", 'c d': '1' },
    },
    { name: 'comments', given: '# top\na: x # tail\n  # deep\nb: x#y', want: { a: 'x', b: 'x#y' } },
    {
      name: 'colons',
      given: 'a: https://h:1\nsystem:x: y',
      want: { a: 'https://h:1', 'system:x': 'y' },
    },
    { name: 'list at the key', given: 'a:\n- 1\n- 2\nb: 3', want: { a: ['1', '2'], b: '3' } },
    {
      name: 'list under the key',
      given: 'a:\n  - b: 1\n    c: 2\n  -\n    d: 3',
      want: { a: [{ b: '1', c: '2' }, { d: '3' }] },
    },
    { name: 'list of lists', given: '- - a\n  - b\n-\n- c', want: [['a', 'b'], null, 'c'] },
    { name: 'empty flow', given: 'a: {}\nb: [ ] # none', want: { a: {}, b: [] } },
    { name: 'document mark and CRLF', given: '---\r\na: x\r\n', want: { a: 'x' } },
    { name: 'proto', given: '__proto__: x', want: JSON.parse('{"__proto__": "x"}') },
    { name: 'nothing', given: '\n# none\n', want: null },
    { name: 'empty member before a sibling', given: 'a:\nb: 1', want: { a: null, b: '1' } },
  ];
  for (const { name, given, want } of table) {
    assert.deepEqual(parseYamlSubset(given, 'text'), want, name);
  }
});

test('what is refused, and where', () => {
  const table = [
    { given: 'a: x\n\tb: y', want: '2:2: a tab indents the line' },
    { given: 'a: &x y', want: '1:4: a value cannot begin with &' },
    { given: 'a: |\n  text', want: '1:4: a value cannot begin with |' },
    { given: 'a:\n  b: {c: d}', want: '2:6: a value cannot begin with {' },
    { given: 'a: [b]', want: '1:4: a value cannot begin with [' },
    { given: 'a: !!str b', want: '1:4: a value cannot begin with !' },
    { given: 'a: b: c', want: '1:5: a value holds a colon and is not quoted' },
    { given: 'a: x\n  y', want: '2:3: the line is indented too deep' },
    { given: 'a:\n    b: 1\n  c: 2', want: '3:3: the line is indented too deep' },
    { given: '  a: 1\nb: 2', want: '2:1: the line fits no level above it' },
    { given: 'a: 1\na: 2', want: '2:1: the key a appears a second time' },
    { given: 'a: "x', want: '1:4: a quoted value does not end on its line' },
    { given: 'a: "x" y', want: '1:7: something follows a quoted value' },
    { given: 'a: "\\x41"', want: '1:4: a quoted value has an unknown escape' },
    { given: 'a: 1\n---\nb: 2', want: '2:1: this is not `key: value`' },
    { given: 'a: 1\n- b', want: '2:1: the line fits no level above it' },
    { given: 'just text', want: '1:1: this is not `key: value`' },
  ];
  for (const { given, want } of table) {
    assert.throws(
      () => parseYamlSubset(given, 'text'),
      (error: Error) => {
        assert.ok(error instanceof UserError);
        assert.equal(error.message, `read text: ${want}`, given);
        return true;
      },
    );
  }
});
