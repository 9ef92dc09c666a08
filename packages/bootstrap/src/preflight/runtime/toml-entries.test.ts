import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { tomlEntries } from './toml-entries.ts';

const cases: readonly {
  readonly name: string;
  readonly given: string;
  readonly want: readonly string[];
}[] = [
  { name: 'nothing', given: '', want: [] },
  { name: 'comments', given: '# a = 1\n  # b = "2"', want: [] },
  {
    name: 'scalars',
    given: 'a = 3\nb = true # c = 1\nd="x # y"',
    want: ['a=3', 'b=true', 'd=x # y'],
  },
  {
    name: 'tables with quoted names',
    given: `[plugins."a.b".c]\r\n  k = 'v'\r\n[ 'd' . e ]\nk = 1`,
    want: ['plugins|a.b|c', 'plugins|a.b|c|k=v', 'd|e', 'd|e|k=1'],
  },
  { name: 'a table of a list', given: '[[a]]\nk = 1', want: ['a', 'a|k=1'] },
  { name: 'dotted keys', given: `a.'b.c'.d = 1`, want: ['a|b.c|d=1'] },
  {
    name: 'inline tables',
    given: 'a = { b = "1", c.d = { e = 2 } }\nf = 3',
    want: ['a|b=1', 'a|c|d|e=2', 'f=3'],
  },
  {
    name: 'arrays over lines',
    given: 'a = [ "1", # one\n  "2",\n]\nb = []\nc = [[1, 2], [3]]\nd = [{e = 1}]',
    want: ['a=1', 'a=2', 'c=1', 'c=2', 'c=3', 'd|e=1'],
  },
  {
    name: 'escapes and long texts',
    given: `a = "x\\"\\u00e9"\nb = 'c:\\d'\nc = """\nk = 1\n"x" """\nd = '''[t]\n'''`,
    want: ['a=x"é', 'b=c:\\d', 'c=k = 1\n"x" ', 'd=[t]\n'],
  },
  {
    name: 'what is not TOML',
    given: '= 1\na\n[\n"b\nc = [1 2\n]\nd = 4',
    want: ['', 'c=1', 'c=2', 'd=4'],
  },
];

describe('tomlEntries', () => {
  for (const { name, given, want } of cases) {
    test(name, () => {
      const got = tomlEntries(given).map(({ path, value }) =>
        [path.join('|'), ...(value === undefined ? [] : [value])].join('='),
      );
      assert.deepEqual(got, want);
    });
  }

  test('ends for any text', () => {
    const signs = fc.constantFrom(...'[]{}=,.#"\'\\\n ab1'.split(''));
    fc.assert(fc.property(fc.string({ unit: signs }), (text) => void tomlEntries(text)));
    tomlEntries(`a = ${'['.repeat(100_000)}`);
  });
});
