import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readText } from './read-text.ts';

function config(name: string, more = ''): string {
  return `apiVersion: machineconfiguration.alauda.io/v1alpha1
kind: MachineConfig
metadata:
  name: ${name}
  labels:
    machineconfiguration.alauda.io/role: worker
spec:
  config:
    ignition: {version: 3.4.0}
${more}`;
}

const badMode = '    storage: {files: [{path: /etc/a, mode: 755}]}\n';
const own = 'apiVersion: machineconfiguration.alauda.io/v1alpha1\n';
const policy = `${own}kind: MachineConfiguration\nmetadata: {name: cluster}\n`;
const pool = `${own}kind: MachineConfigPool\nmetadata: {name: infra}\n`;
const json = JSON.stringify({
  ignition: { version: '3.4.0' },
  storage: { files: [{ path: '/etc/a', mode: 9999 }] },
});

/** `line:column code path` of every finding. */
const rows = [
  { name: 'a valid MachineConfig', given: config('a'), want: [] },
  {
    name: 'the second document of a file',
    given: `${config('a')}---\n${config('b', badMode)}`,
    want: ['20:44 ignition.mode-special-bits spec.config.storage.files[0].mode'],
  },
  {
    name: 'an item of a List',
    given: `kind: List\napiVersion: v1\nitems:\n- ${config('b', badMode).trim().replaceAll('\n', '\n  ')}`,
    want: ['13:46 ignition.mode-special-bits items[0].spec.config.storage.files[0].mode'],
  },
  {
    name: 'bare Ignition in JSON',
    given: json,
    want: ['1:77 ignition.mode-out-of-range storage.files[0].mode'],
  },
  {
    name: 'JSON values one after another',
    given: `{"ignition": {"version": "3.4.0"}}\n  ${json}`,
    want: ['2:79 ignition.mode-out-of-range storage.files[0].mode'],
  },
  {
    name: 'JSON documents between YAML separators',
    given: `{"ignition": {"version": "3.4.0"}}\n---\n${json}\n`,
    want: ['3:77 ignition.mode-out-of-range storage.files[0].mode'],
  },
  {
    name: 'a broken document does not hide the others',
    given: `a: [\n---\n${config('b', badMode)}`,
    want: [
      '2:1 ignition.yaml-syntax ',
      '12:44 ignition.mode-special-bits spec.config.storage.files[0].mode',
    ],
  },
  {
    name: 'no role: a finding that knows no place gets one',
    given: config('a').replace(/ {2}labels:\n.*\n/, ''),
    want: ['4:3 machineconfig.role.missing metadata.labels'],
  },
  {
    name: 'identity',
    given: config('A_b').replace('alauda', 'openshift').replace('role: worker', 'role: 1'),
    want: [
      '1:13 machineconfig.api-version.unknown apiVersion',
      '4:9 machineconfig.name.invalid metadata.name',
      '6:42 machineconfig.field.type metadata.labels["machineconfiguration.alauda.io/role"]',
    ],
  },
  {
    name: 'a pool: types, unknown and mistyped fields',
    given: `${pool}spec:\n  paused: "yes"\n  maxUnavailble: 1\n`,
    want: [
      '5:11 machineconfig.field.type spec.paused',
      '6:3 machineconfig.field.unknown spec.maxUnavailble',
    ],
  },
  {
    name: 'a custom pool without worker',
    given: `${pool}spec:\n  machineConfigSelector: {matchLabels: {machineconfiguration.alauda.io/role: infra}}\n  nodeSelector: {matchLabels: {a: b}}\n`,
    want: ['5:26 pool.selector.worker-missing spec.machineConfigSelector'],
  },
  {
    name: 'a policy',
    given: `${policy}spec:\n  nodeDisruptionPolicy:\n    files:\n    - path: /etc/a\n      actions: [{type: Reboot}, {type: Restrat}]\n    - actions: []\n`,
    want: [
      '8:40 machineconfig.field.value spec.nodeDisruptionPolicy.files[0].actions[1].type',
      '9:7 machineconfig.field.missing spec.nodeDisruptionPolicy.files[1]',
    ],
  },
  {
    name: 'rules of a policy that its schema accepts',
    given: `${policy}spec:\n  nodeDisruptionPolicy:\n    sshkey:\n      actions: [{type: Reboot}, {type: None}]\n`,
    want: [
      '7:16 disruption.policy.action-invalid spec.nodeDisruptionPolicy.sshkey.actions',
      '7:16 disruption.policy.action-invalid spec.nodeDisruptionPolicy.sshkey.actions',
    ],
  },
  { name: 'nothing', given: '', want: ['1:1 ignition.config-empty '] },
  { name: 'comments alone', given: '# one\n', want: ['1:1 machineconfig.text.empty '] },
  {
    name: 'a misspelt kind',
    given: config('a').replace('MachineConfig\n', 'MachinConfig\n'),
    want: ['2:7 machineconfig.kind.unknown kind'],
  },
  {
    name: 'another kind of object',
    given: 'apiVersion: v1\nkind: ConfigMap\n',
    want: ['2:7 machineconfig.kind.foreign kind'],
  },
  {
    name: 'Butane',
    given: 'variant: fcos\nstorage: {}\n',
    want: ['1:1 machineconfig.kind.unknown '],
  },
  { name: 'no object', given: '- a\n', want: ['1:1 machineconfig.kind.unknown '] },
] as const;

suite('reading a text of objects', () => {
  for (const { name, given, want } of rows)
    test(name, () => {
      const found = readText(given).issues.map(
        ({ line, column, code, path }) => `${line}:${column} ${code} ${path}`,
      );
      assert.deepEqual(found, want);
    });
});

test('objects come with their kind, name and what they declare', () => {
  const { objects } = readText(`${config('a')}---\n${pool}---\n${json.replace('9999', '420')}`);
  assert.deepEqual(
    objects.map(({ kind, name, host, line }) => [kind, name, host?.ignition.files.length, line]),
    [
      ['MachineConfig', 'a', 0, 1],
      ['MachineConfigPool', 'infra', undefined, 11],
      ['Ignition', '', 1, 15],
    ],
  );
});
