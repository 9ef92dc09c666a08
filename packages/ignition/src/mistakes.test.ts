import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, readIgnition, renderIssue, subtree } from './index.ts';

/** What people get wrong when they write MachineConfigs by hand. */
const mistakes: readonly { readonly name: string; readonly given: string }[] = [
  { name: 'a mode without its leading zero', given: file('mode: 755') },
  { name: 'a mode that is valid, but not what was meant', given: file('mode: 444') },
  { name: 'a mode in quotes', given: file('mode: "0644"') },
  { name: 'a setuid bit', given: file('mode: 0o4755') },
  { name: 'a misspelt key', given: file('overwite: true') },
  { name: 'a key in the wrong case', given: file('Mode: 0644') },
  { name: 'a key of another tool', given: file('contents: {inline: hello}') },
  { name: 'a key twice', given: file('mode: 0644\nmode: 0600') },
  { name: 'contents from a web server', given: file('contents: {source: https://example.com/a}') },
  { name: 'plain text as a source', given: file('contents: {source: hello}') },
  { name: 'spaces in a data URL', given: file('contents: {source: "data:,hello world"}') },
  {
    name: 'a data URL without its semicolon',
    given: file('contents: {source: "data:base64,aGk="}'),
  },
  { name: 'base64 without padding', given: file('contents: {source: "data:;base64,aGk"}') },
  { name: 'a data URL in a block', given: file('contents:\n  source: |\n    data:,hello') },
  {
    name: 'gzip declared, plain text given',
    given: file('contents: {source: "data:,hello", compression: gzip}'),
  },
  {
    name: 'a hash of something else',
    given: file(`contents: {source: "data:,x", verification: {hash: sha256-${'0'.repeat(64)}}}`),
  },
  { name: 'a relative path', given: files('- path: etc/motd') },
  { name: 'a path with a trailing slash', given: files('- path: /etc/motd.d/') },
  { name: 'a file twice', given: files('- path: /etc/motd\n- path: /etc/motd') },
  { name: 'a file in a file', given: files('- path: /etc/motd\n- path: /etc/motd/a') },
  { name: 'a directory', given: config('storage:\n  directories:\n    - path: /etc/a') },
  { name: 'a unit without an extension', given: config('systemd: {units: [{name: chronyd}]}') },
  { name: 'a unit without sections', given: unit('ExecStart=/bin/true') },
  { name: 'a unit with a line that says nothing', given: unit('[Service]\nExecStart /bin/true') },
  { name: 'a unit that enables nothing', given: unit('[Service]\nExecStart=/bin/true') },
  {
    name: 'another user',
    given: config('passwd:\n  users:\n    - name: core\n      sshAuthorizedKeys: []'),
  },
  { name: 'the alias of published samples', given: config('passwd: {users: [{user: boot}]}') },
  {
    name: 'a private key',
    given: config(
      'passwd:\n  users:\n    - name: boot\n      sshAuthorizedKeys:\n        - |\n          -----BEGIN OPENSSH PRIVATE KEY-----\n          b3BlbnNzaC1rZXktdjE=',
    ),
  },
  { name: 'kernel arguments', given: config('kernelArguments: {shouldExist: [quiet]}') },
  { name: 'an older version', given: machineConfig('ignition: {version: 3.2.0}') },
  {
    name: 'a version that YAML reads as a number',
    given: machineConfig('ignition: {version: 3.4}'),
  },
  { name: 'no version', given: machineConfig('storage: {files: []}') },
  { name: 'a tab', given: machineConfig('ignition:\n\tversion: 3.4.0') },
  { name: 'JSON with a trailing comma', given: '{"spec": {"config": {},}}\n' },
  { name: 'JSON with a comment', given: '{\n  // the base\n  "spec": {}\n}\n' },
];

function indented(text: string, depth: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(depth));
}

function machineConfig(text: string): string {
  return `kind: MachineConfig\nspec:\n  config:\n${indented(text, 4)}\n`;
}

function config(text: string): string {
  return machineConfig(`ignition: {version: 3.4.0}\n${text}`);
}

function files(entries: string): string {
  return config(`storage:\n  files:\n${indented(entries, 4)}`);
}

function file(fields: string): string {
  return files(`- path: /etc/motd\n${indented(fields, 2)}`);
}

function unit(text: string): string {
  return config(
    `systemd:\n  units:\n    - name: a.service\n      enabled: true\n      contents: |\n${indented(text, 8)}`,
  );
}

function messagesOf(text: string): string {
  const { documents, issues } = parse(text);
  const [document] = documents;
  const tree = document && subtree(document, ['spec', 'config']);
  const found = tree ? readIgnition(tree, { prefix: 'spec.config' }).issues : [];
  return [...issues, ...found]
    .map((issue) => renderIssue(issue, text, { fileName: 'mc.yaml' }))
    .join('\n');
}

test('typical mistakes are explained with place, reason and fix', () => {
  const golden = new URL('../testdata/mistakes.txt', import.meta.url);
  const got = mistakes.map(({ name, given }) => `=== ${name}\n\n${messagesOf(given)}`).join('\n');
  if (process.env['SLIPWAY_GOLDEN'] === 'write') writeFileSync(golden, got);
  assert.equal(got, readFileSync(golden, 'utf8'));
});

test('long lines are cut around the caret and tabs keep it in its place', () => {
  const long = `{"a":"${'x'.repeat(500)}\\q${'y'.repeat(500)}"}`;
  const [issue] = parse(long).issues;
  assert.ok(issue);
  const [, , , shown = '', caret = ''] = renderIssue(issue, long).split('\n');
  assert.ok(shown.length < 120);
  assert.equal(shown[caret.indexOf('^')], '\\');
  const tabs = '{\t\t"a": x}';
  const [second] = parse(tabs).issues;
  assert.ok(second);
  const lines = renderIssue(second, tabs).split('\n');
  assert.equal(lines[3]?.[lines[4]?.indexOf('^') ?? 0], 'x');
});

test('without a text or a position the message stands alone', () => {
  const issue = { code: 'ignition.x', severity: 'error', path: 'a', message: 'is wrong' } as const;
  assert.equal(renderIssue(issue), 'error[ignition.x]: is wrong\n--> a\n');
  assert.equal(
    renderIssue({ ...issue, line: 2, column: 3, hint: 'mend it' }),
    'error[ignition.x]: is wrong\n --> 2:3  a\n  = help: mend it\n',
  );
});
