import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { printComponentDefaults } from './print-component-defaults.ts';
import {
  printInitDefaults,
  printJoinDefaults,
  printResetDefaults,
  printUpgradeDefaults,
} from './print-defaults.ts';
import { joinDocuments } from './render.ts';

const components = ['KubeletConfiguration', 'KubeProxyConfiguration'] as const;

function documentsOf(text: string): readonly unknown[] {
  const parsed = parseAllDocuments(text);
  return 'empty' in parsed ? [] : parsed.map((document): unknown => document.toJS());
}

for (const { name, given } of [
  {
    name: 'init',
    given: joinDocuments([printInitDefaults(), ...components.map(printComponentDefaults)]),
  },
  { name: 'join', given: printJoinDefaults('VM ') },
  { name: 'reset', given: printResetDefaults() },
  { name: 'upgrade', given: printUpgradeDefaults() },
]) {
  test(`defaults of ${name} are those that kubeadm prints`, () => {
    const file = join(import.meta.dirname, 'testdata', `${name}-defaults.yaml`);
    assert.deepEqual(documentsOf(given), documentsOf(readFileSync(file, 'utf8')));
  });
}
