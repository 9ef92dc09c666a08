import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { jsonOf, parse, type SyntaxNode, subtree, treeFromJson } from './index.ts';

function root(text: string, format?: 'json' | 'yaml'): SyntaxNode {
  const { documents, issues } = parse(text, format === undefined ? {} : { format });
  assert.deepEqual(issues, []);
  const [tree] = documents;
  assert.ok(tree);
  return tree.root;
}

function scalarOf(text: string): unknown {
  const node = root(text, 'yaml');
  return node.kind === 'object' && node.members[0] ? jsonOf(node.members[0].value) : undefined;
}

describe('YAML scalars are read as kubectl reads them', () => {
  const table = [
    { name: 'octal of YAML 1.1', given: '0644', want: 0o644 },
    { name: 'octal of YAML 1.2', given: '0o644', want: 0o644 },
    { name: 'hexadecimal', given: '0x1a4', want: 420 },
    { name: 'binary', given: '0b110100100', want: 420 },
    { name: 'underscores', given: '1_000', want: 1000 },
    { name: 'leading zero, but not octal', given: '0899', want: 899 },
    { name: 'negative octal', given: '-0644', want: -420 },
    { name: 'version', given: '3.4.0', want: '3.4.0' },
    { name: 'float', given: '3.4', want: 3.4 },
    { name: 'quoted octal', given: '"0644"', want: '0644' },
    { name: 'tagged text', given: '!!str 0644', want: '0644' },
    { name: 'tagged number', given: '!!int "0644"', want: 0o644 },
    { name: 'yes', given: 'yes', want: true },
    { name: 'Off', given: 'Off', want: false },
    { name: 'quoted yes', given: "'yes'", want: 'yes' },
    { name: 'tilde', given: '~', want: null },
    { name: 'nothing', given: '', want: null },
    { name: 'date', given: '2026-01-01', want: '2026-01-01' },
    { name: 'sexagesimal', given: '1:30', want: '1:30' },
    { name: 'infinity is a number', given: '.inf', want: Number.NaN },
  ];
  for (const { name, given, want } of table) {
    test(name, () => assert.deepEqual(scalarOf(`key: ${given}\n`), want));
  }
});

describe('integers', () => {
  const kind = (given: string, format: 'json' | 'yaml') => root(`[${given}]`, format);
  const table = [
    { given: '420', format: 'json', want: 'integer' },
    { given: '-0', format: 'json', want: 'integer' },
    { given: '420.0', format: 'json', want: 'number' },
    { given: '4.2e2', format: 'json', want: 'number' },
    { given: '9223372036854775807', format: 'json', want: 'integer' },
    { given: '9223372036854775808', format: 'json', want: 'number' },
    { given: '-9223372036854775808', format: 'yaml', want: 'integer' },
    { given: '99999999999999999999', format: 'yaml', want: 'number' },
  ] as const;
  for (const { given, format, want } of table) {
    test(`${given} in ${format}`, () => {
      const node = kind(given, format);
      assert.equal(node.kind === 'array' && node.items[0]?.kind, want);
    });
  }
});

test('positions of keys and values in JSON and YAML', () => {
  const json = '{\n  "a": {\n    "b": 7\n  }\n}';
  const yaml = 'a:\n  b: 7\n';
  for (const [text, want] of [
    [json, '3:10'],
    [yaml, '2:6'],
  ] as const) {
    const [tree] = parse(text).documents;
    assert.ok(tree?.source);
    const node = subtree(tree, ['a', 'b'])?.root;
    assert.ok(node?.range);
    const { line, column } = tree.source.positionAt(node.range.start);
    assert.equal(`${line}:${column}`, want);
    assert.equal(text.slice(node.range.start, node.range.end), '7');
  }
});

test('duplicate keys are kept', () => {
  for (const text of ['{"a":1,"a":2}', 'a: 1\na: 2\n']) {
    const node = root(text);
    assert.deepEqual(node.kind === 'object' && node.members.map(({ key }) => key), ['a', 'a']);
  }
});

test('a YAML text has any number of documents; those of comments only are none', () => {
  const { documents, issues } = parse('---\na: 1\n---\n# nothing\n---\nb: 2\n...\n');
  assert.deepEqual(issues, []);
  assert.deepEqual(
    documents.map(({ root: node }) => jsonOf(node)),
    [{ a: 1 }, { b: 2 }],
  );
});

test('one broken document leaves the others', () => {
  const { documents, issues } = parse('a: 1\n---\nb: [1\n---\nc: 3\n');
  assert.deepEqual(
    documents.map(({ root: node }) => jsonOf(node)),
    [{ a: 1 }, { c: 3 }],
  );
  assert.equal(issues[0]?.code, 'ignition.yaml-syntax');
  assert.ok((issues[0]?.line ?? 0) >= 3);
});

test('anchors, aliases and merge keys', () => {
  const text = 'base: &b {mode: 0600, user: {name: a}}\nfile: {<<: *b, mode: 0644}\nsame: *b\n';
  assert.deepEqual(jsonOf(root(text)), {
    base: { mode: 0o600, user: { name: 'a' } },
    file: { user: { name: 'a' }, mode: 0o644 },
    same: { mode: 0o600, user: { name: 'a' } },
  });
});

describe('refused texts', () => {
  const laughs = Array.from(
    { length: 12 },
    (_, index) => `a${index}: &a${index} [${Array(9).fill(index === 0 ? 'x' : `*a${index - 1}`)}]`,
  ).join('\n');
  const table = [
    { name: 'empty', given: '', format: 'json', want: 'config-empty' },
    { name: 'single quotes', given: "{'a': 1}", format: 'json', want: 'json-syntax' },
    { name: 'control character', given: '{"a": "\u0001"}', format: 'json', want: 'json-syntax' },
    { name: 'unknown escape', given: '{"a": "\\x"}', format: 'json', want: 'json-syntax' },
    { name: 'deep JSON', given: '['.repeat(100_000), format: 'json', want: 'too-deep' },
    { name: 'deep YAML', given: '- '.repeat(400), format: 'yaml', want: 'too-deep' },
    { name: 'very deep YAML', given: '['.repeat(100_000), format: 'yaml', want: 'too-deep' },
    { name: 'tab indent', given: 'a:\n\tb: 1\n', format: 'yaml', want: 'yaml-syntax' },
    { name: 'billion laughs', given: laughs, format: 'yaml', want: 'yaml-syntax' },
    { name: 'missing anchor', given: 'a: *b\n', format: 'yaml', want: 'yaml-syntax' },
    { name: 'merge of a text', given: '<<: x\n', format: 'yaml', want: 'yaml-syntax' },
    { name: 'list as a key', given: '? [a]\n: 1\n', format: 'yaml', want: 'yaml-syntax' },
  ] as const;
  for (const { name, given, format, want } of table) {
    test(name, () => {
      const { documents, issues } = parse(given, { format });
      assert.deepEqual(documents, []);
      assert.equal(issues[0]?.code, `ignition.${want}`);
      assert.ok(issues[0]?.line);
    });
  }
});

test('the format is told from the first character', () => {
  assert.equal(parse('{"a": 1,}').issues[0]?.code, 'ignition.json-syntax');
  assert.equal(parse('\uFEFF{"a": 1}').issues[0]?.code, 'ignition.json-syntax');
  assert.deepEqual(parse('a: {b: 1,}').issues, []);
});

test('any JSON value is read from its JSON, from its YAML, and from itself', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, undefined, 1);
      const plain: unknown = JSON.parse(text);
      assert.deepEqual(jsonOf(root(text, 'json')), plain);
      assert.deepEqual(jsonOf(treeFromJson(plain).root), plain);
    }),
  );
});

test('every text is either refused by both JSON readers or read alike', () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"', '\\u00e9', '1', '-', '0', '.5', 'e1', ' ', '\n'],
    ...['true', 'null', '\u0001', 'é', '\\', 'x', '\uFEFF'],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      let want: unknown;
      try {
        want = JSON.parse(text);
      } catch {
        assert.deepEqual(parse(text, { format: 'json' }).documents, []);
        return;
      }
      assert.deepEqual(jsonOf(root(text, 'json')), JSON.parse(JSON.stringify(want)));
    }),
    { numRuns: 2000 },
  );
});
