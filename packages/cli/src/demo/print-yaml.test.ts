import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disruptionPolicy } from './manifests.ts';
import { printYaml } from './print-yaml.ts';

const cases = [
  {
    name: 'words that YAML reads as booleans are quoted',
    given: { a: 'yes', b: 'off', c: 'True', d: 'plain' },
    want: 'a: "yes"\nb: "off"\nc: "True"\nd: plain\n',
  },
  {
    name: 'numbers as text are quoted, numbers are not',
    given: ['1', '0644', '2026-01-01', 7, null, true],
    want: '- "1"\n- "0644"\n- "2026-01-01"\n- 7\n- null\n- true\n',
  },
  {
    name: 'text that would end or change the scalar is quoted',
    given: { a: 'b: c', d: 'x #y', e: '', f: '- g', h: 'i\nj' },
    want: 'a: "b: c"\nd: "x #y"\ne: ""\nf: "- g"\nh: "i\\nj"\n',
  },
  {
    name: 'nested lists and maps',
    given: { a: [{ b: 1, c: [2, 3] }, [4]], d: { e: { f: 'g' } } },
    want: 'a:\n  - b: 1\n    c:\n      - 2\n      - 3\n  - - 4\nd:\n  e:\n    f: g\n',
  },
];
for (const { name, given, want } of cases) {
  test(name, () => assert.equal(printYaml(given), want));
}

test('the policy of the tour reads as people write it', () => {
  assert.match(
    printYaml(disruptionPolicy),
    /files:\n {6}- path: \/etc\/chrony\.conf\n {8}actions:\n {10}- type: DaemonReload\n/,
  );
});
