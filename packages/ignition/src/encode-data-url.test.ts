import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { array, assert as holds, property, uint8Array } from 'fast-check';
import { encodeDataUrl, formatYaml, parse, parseDataUrl } from './index.ts';

const encoder = new TextEncoder();

suite('a data URL of bytes', () => {
  const cases = [
    { name: 'nothing', given: '', want: 'data:,' },
    { name: 'text', given: 'a=b,c\n', want: 'data:,a=b,c%0A' },
    { name: 'a percent sign', given: '100%', want: 'data:,100%25' },
    { name: 'a word of another alphabet', given: 'añ', want: 'data:,a%C3%B1' },
    { name: 'more escapes than characters', given: '<<>>""', want: 'data:;base64,PDw+PiIi' },
  ];
  for (const { name, given, want } of cases) {
    test(name, () => assert.equal(encodeDataUrl(encoder.encode(given)), want));
  }

  test('any bytes come back', () => {
    holds(
      property(uint8Array({ maxLength: 300 }), (bytes) => {
        const url = parseDataUrl(encodeDataUrl(bytes));
        assert.ok(url.ok);
        assert.deepEqual([...url.bytes], [...bytes]);
      }),
    );
  });
});

suite('YAML of a value', () => {
  test('modes are octal, texts of several lines are blocks, and old booleans are quoted', () => {
    const given = { mode: 420, contents: '[Unit]\nDescription=x\n', name: 'yes', list: [], id: 0 };
    const want =
      'mode: 0o644\ncontents: |\n  [Unit]\n  Description=x\nname: "yes"\nlist: []\nid: 0\n';
    assert.equal(formatYaml(given), want);
  });

  test('what is read back is what was given', () => {
    const texts = [
      'on',
      '1:30',
      '0644',
      '~',
      '- a',
      'a: b',
      '# x',
      ' x ',
      'a\n\n b\n',
      '\u0085',
      '\t',
      '=',
      '1e3',
      '0o17',
      '<<',
    ];
    for (const text of texts) {
      const { documents } = parse(formatYaml({ [text]: text, mode: 0o755 }));
      const root = documents[0]?.root;
      assert.ok(root?.kind === 'object', JSON.stringify(text));
      const [first, mode] = root.members;
      // A key `<<` is quoted and so no merge key.
      assert.equal(first?.key, text);
      assert.deepEqual([first?.value.kind, mode?.value.kind], ['string', 'integer']);
    }
    holds(
      property(array(uint8Array({ maxLength: 20 }), { maxLength: 3 }), (lists) => {
        const value = { files: lists.map((bytes) => ({ text: String.fromCharCode(...bytes) })) };
        const root = parse(formatYaml(value)).documents[0]?.root;
        assert.ok(root !== undefined);
      }),
    );
  });
});
