import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { hasErrors, type Issue } from '@slipway/base';
import { parse } from 'yaml';
import { bareGround } from '../testing/bare-ground.ts';
import { validateFile } from './settle-file.ts';

type InvalidConfiguration = {
  readonly name: string;
  readonly findings: readonly string[];
  /** Why slipway refuses what kubeadm accepts. */
  readonly because?: string;
} & ({ readonly text: string } | { readonly kind: string; readonly body: string });

const file = join(import.meta.dirname, 'testdata', 'invalid-configurations.yaml');
const table = parse(readFileSync(file, 'utf8')) as readonly InvalidConfiguration[];

const version = 'kubernetesVersion: v1.37.2\n';

function header(kind: string): string {
  return `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ${kind}\n`;
}

/** Every file names its version: kubeadm, which the verdicts are of, would ask the network for one. */
function textOf(given: InvalidConfiguration): string {
  if ('text' in given) return given.text;
  const own = header(given.kind) + given.body;
  if (given.kind === 'InitConfiguration')
    return `${own}---\n${header('ClusterConfiguration')}${version}`;
  const isVersioned = given.kind !== 'ClusterConfiguration' || own.includes('kubernetesVersion');
  return isVersioned ? own : own + version;
}

function findingText({ severity, code, line, column, path }: Issue): string {
  const level = severity === 'error' ? '' : `${severity} `;
  return `${level}${code.replace('bootstrap.config.', '')} ${line}:${column} ${path}`.trim();
}

suite('configurations that are refused', () => {
  const ground = bareGround();

  test('there are at least 120', () => assert.ok(table.length >= 120, String(table.length)));

  for (const given of table) {
    test(given.name, async () => {
      const issues = await validateFile({ text: textOf(given), ground, load: { strict: true } });
      assert.deepEqual(issues.map(findingText), given.findings);
      assert.ok(hasErrors(issues));
      assert.ok(issues.every(({ message }) => message !== '' && !message.includes('undefined')));
    });
  }
});
