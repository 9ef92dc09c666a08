import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse, parseDataUrl, parseUnitFile, readIgnition, treeFromJson } from './index.ts';

const size = 400_000;
const limitMs = 3000;

function read(sections: object): void {
  readIgnition(treeFromJson({ ignition: { version: '3.4.0' }, ...sections }));
}

function readUnit(contents: string): void {
  read({ systemd: { units: [{ name: 'a.service', contents }] } });
}

function readKey(key: string): void {
  read({ passwd: { users: [{ name: 'boot', sshAuthorizedKeys: [key] }] } });
}

function readPath(path: string): void {
  read({ storage: { files: [{ path }, { path: `${path}/b` }] } });
}

/** Inputs that take quadratic time or more where a reader is careless. */
const table: readonly { readonly name: string; run(): unknown }[] = [
  { name: 'section headers that never close', run: () => readUnit('[x\n'.repeat(size / 3)) },
  {
    name: 'spaces before a continuation',
    run: () => readUnit(`[U]\nA=${' '.repeat(size)}x\\\n\n`),
  },
  { name: 'backslashes in a comment', run: () => readUnit(`[U]\n#${'\\'.repeat(size)}x\n`) },
  { name: 'continued lines', run: () => readUnit(`[U]\nA=b${'\\\nb'.repeat(size / 3)}`) },
  { name: 'lines without "="', run: () => parseUnitFile(`[U]\n${'a\n'.repeat(size / 2)}`) },
  { name: 'quotes in an SSH key', run: () => readKey('\\"'.repeat(size / 2)) },
  { name: 'open quotes in an SSH key', run: () => readKey(`command="${'\\"x'.repeat(size / 3)}`) },
  { name: 'words in an SSH key', run: () => readKey('a '.repeat(size / 2)) },
  { name: 'components in a path', run: () => readPath('/a'.repeat(size / 2)) },
  { name: 'slashes in a path', run: () => readPath('/'.repeat(size)) },
  { name: 'parameters in a data URL', run: () => parseDataUrl(`data:${';a=b'.repeat(size / 4)},`) },
  {
    name: 'percent signs in a data URL',
    run: () => parseDataUrl(`data:,${'%2'.repeat(size / 2)}`),
  },
  { name: 'quoted parameter', run: () => parseDataUrl(`data:;a="${'\\\\'.repeat(size / 2)}`) },
  { name: 'anchors', run: () => parse('&'.repeat(size), { format: 'yaml' }) },
  { name: 'brackets and spaces', run: () => parse(`[${' '.repeat(size)}`, { format: 'yaml' }) },
  { name: 'unknown keys', run: () => read(Object.fromEntries(keys(20_000))) },
  { name: 'a long key', run: () => read({ ['x'.repeat(size)]: 1 }) },
  { name: 'carriage returns', run: () => parse(`{"a":\n${'\r'.repeat(size)}x`) },
];

function keys(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`file${index}`, index]);
}

describe(`inputs of ${size} characters end within ${limitMs} ms`, () => {
  for (const { name, run } of table) {
    test(name, () => {
      const start = performance.now();
      run();
      assert.ok(performance.now() - start < limitMs);
    });
  }
});
