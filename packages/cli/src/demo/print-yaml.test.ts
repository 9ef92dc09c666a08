import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { chronyConfig, disruptionPolicy } from './manifests.ts';
import { printYaml } from './print-yaml.ts';

const cases = [
  {
    name: 'words that YAML reads as booleans',
    given: { a: 'yes', b: 'off', c: 'True', d: 'plain' },
  },
  { name: 'numbers as text', given: ['1', '0644', '1.5', '2026-01-01'] },
  { name: 'text with a colon', given: { a: 'b: c', d: 'x #y', e: '', f: '- g', h: 'line\nline' } },
  { name: 'nested', given: { a: [{ b: 1, c: [true, null] }, [1, 2]], d: { e: { f: 'g' } } } },
  { name: 'the policy', given: disruptionPolicy },
  { name: 'the MachineConfig', given: chronyConfig },
];
for (const { name, given } of cases) {
  test(`reads back: ${name}`, () => assert.deepEqual(parse(printYaml(given)), given));
}
