import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Issue, JsonObject } from '@slipway/base';
import {
  authorizedKeysText,
  decodeContents,
  parse,
  type ReadOptions,
  readIgnition,
  subtree,
  treeFromJson,
} from './index.ts';

function read(sections: JsonObject, options?: ReadOptions) {
  const document = { ignition: { version: '3.4.0' }, ...sections };
  return readIgnition(treeFromJson(document), options);
}

function readFiles(...files: JsonObject[]) {
  return read({ storage: { files } });
}

function short(issues: readonly Issue[]): string[] {
  return issues.map(({ severity, code, path }) => {
    return `${severity} ${code.replace('ignition.', '')} ${path}`;
  });
}

function readYaml(text: string) {
  const { documents, issues } = parse(text, { format: 'yaml' });
  assert.deepEqual(issues, []);
  const [tree] = documents;
  assert.ok(tree);
  return readIgnition(tree);
}

describe('paths', () => {
  const long = 'x'.repeat(256);
  const table = [
    { given: '/etc/a', want: [] },
    { given: '/run/machine-config-daemon-force', want: ['error path-force-file'] },
    { given: '/proc/sys/net/x', want: ['error path-not-writable'] },
    { given: '/sys', want: ['error path-not-writable'] },
    { given: '/dev/null', want: ['error path-not-writable'] },
    { given: '/devices/a', want: [] },
    { given: '/run/a', want: ['warning path-volatile'] },
    { given: '/tmp/a', want: ['warning path-volatile'] },
    { given: '/motd', want: ['warning path-in-root'] },
    { given: `/etc/${long}`, want: ['error path-too-long'] },
    { given: `/etc/${'é'.repeat(128)}`, want: ['error path-too-long'] },
    { given: `/etc/${'é'.repeat(127)}`, want: [] },
    { given: `/etc${'/abcdefgh'.repeat(460)}`, want: ['error path-too-long'] },
    { given: '/etc/../a', want: ['error path-unclean'] },
    { given: '/etc/a\u007F', want: ['error path-control-character'] },
  ];
  for (const { given, want } of table) {
    test(JSON.stringify(given.slice(0, 40)), () => {
      const { issues } = readFiles({ path: given });
      const path = 'storage.files[0].path';
      assert.deepEqual(
        short(issues),
        want.map((each) => `${each} ${path}`),
      );
    });
  }

  test('files in the root directory are refused where asked', () => {
    const { issues } = read({ storage: { files: [{ path: '/a' }] } }, { rootFiles: 'refuse' });
    assert.deepEqual(short(issues), ['error path-in-root storage.files[0].path']);
  });

  test('a drop-in below a file, and the keys below a file', () => {
    const { issues } = read({
      storage: {
        files: [{ path: '/etc/systemd/system/a.service.d' }, { path: '/home/boot/.ssh' }],
      },
      systemd: {
        units: [{ name: 'a.service', dropins: [{ name: 'x.conf', contents: '[Unit]\nA=b\n' }] }],
      },
      passwd: { users: [{ name: 'boot' }] },
    });
    assert.deepEqual(short(issues), [
      'error path-under-file systemd.units[0].dropins[0]',
      'error path-under-file storage.files[1].path',
    ]);
  });

  test('the file of authorized keys belongs to the keys', () => {
    const files = [{ path: '/home/boot/.ssh/authorized_keys' }];
    assert.deepEqual(short(readFiles(...files).issues), []);
    const { issues } = read({ storage: { files }, passwd: { users: [{ name: 'boot' }] } });
    assert.deepEqual(short(issues), ['error path-conflicts-ssh-keys storage.files[0].path']);
  });
});

describe('modes as written in YAML', () => {
  type Row = { given: string; want: number | string; hint?: string };
  const table: Row[] = [
    { given: '0644', want: 0o644 },
    { given: '0o644', want: 0o644 },
    { given: '420', want: 0o644 },
    { given: '0', want: 0 },
    { given: '511', want: 0o777 },
    { given: '644', want: 'mode-special-bits', hint: '0644' },
    { given: '755', want: 'mode-special-bits', hint: '0755' },
    { given: '444', want: 'mode-looks-decimal', hint: '0444' },
    { given: '400', want: 'mode-looks-decimal', hint: '0400' },
    { given: '0o1644', want: 'mode-special-bits' },
    { given: '0o10000', want: 'mode-out-of-range' },
    { given: '-1', want: 'mode-out-of-range' },
    { given: '"0644"', want: 'json-type', hint: '0644 without quotes' },
    { given: '6.44', want: 'json-type' },
  ];
  for (const { given, want, hint } of table) {
    test(given, () => {
      const { config, issues } = readYaml(
        `ignition: {version: 3.4.0}\nstorage: {files: [{path: /etc/a, mode: ${given}}]}\n`,
      );
      if (typeof want === 'number') assert.equal(config?.files[0]?.mode, want);
      else assert.deepEqual(short(issues), [`error ${want} storage.files[0].mode`]);
      if (hint !== undefined) assert.ok(issues[0]?.hint?.includes(hint), issues[0]?.hint);
    });
  }
});

describe('SSH keys', () => {
  const body = 'AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR';
  const invalid = 'error ssh-key-invalid';
  const damaged = 'warning ssh-key-damaged';
  const table = [
    { name: 'plain', given: `ssh-ed25519 ${body}`, want: [] },
    { name: 'comment', given: `ssh-ed25519 ${body} me at home`, want: [] },
    { name: 'options', given: `from="10.0.0.0/8, x",no-pty ssh-ed25519 ${body}`, want: [] },
    { name: 'unknown options', given: `foo ssh-ed25519 ${body}`, want: [invalid] },
    { name: 'empty', given: '  ', want: [invalid] },
    { name: 'junk', given: 'hello', want: [invalid] },
    { name: 'unknown type', given: `ssh-ed448 ${body}`, want: [invalid] },
    { name: 'no body', given: 'ssh-ed25519', want: [invalid] },
    { name: 'body is no base64', given: 'ssh-ed25519 AAAA?', want: [invalid] },
    { name: 'two lines', given: `ssh-ed25519 ${body}\nssh-ed25519 ${body}`, want: [invalid] },
    { name: 'control character', given: `ssh-ed25519 ${body} \u0007`, want: [invalid] },
    { name: 'private key', given: '-----BEGIN OPENSSH PRIVATE KEY-----', want: [invalid] },
    { name: 'other type in the body', given: `ssh-rsa ${body}`, want: [damaged] },
    { name: 'cut off', given: `ssh-ed25519 ${body.slice(0, 40)}`, want: [damaged] },
    { name: 'padding lost', given: `ssh-ed25519 ${body.slice(0, 41)}`, want: [damaged] },
  ];
  for (const { name, given, want } of table) {
    test(name, () => {
      const { issues } = read({
        passwd: { users: [{ name: 'boot', sshAuthorizedKeys: [given] }] },
      });
      const path = 'passwd.users[0].sshAuthorizedKeys[0]';
      assert.deepEqual(
        short(issues),
        want.map((each) => `${each} ${path}`),
      );
    });
  }

  test('are written one per line, and absent keys are not managed', () => {
    const users = [{ name: 'boot', sshAuthorizedKeys: [`ssh-ed25519 ${body} a\n`] }];
    const { config } = read({ passwd: { users } });
    assert.ok(config);
    assert.equal(authorizedKeysText(config), `ssh-ed25519 ${body} a\n`);
    const without = read({}).config;
    assert.ok(without);
    assert.equal(authorizedKeysText(without), undefined);
  });
});

describe('names of units and drop-ins', () => {
  type Row = { unit?: string; dropin?: string; want: string[] };
  const table: Row[] = [
    { unit: 'dev-disk-by\\x2dlabel-data.mount', want: [] },
    { unit: 'echo@.service', want: [] },
    { unit: '../x.service', want: ['unit-name'] },
    { unit: '@x.service', want: ['unit-name'] },
    { unit: `${'x'.repeat(250)}.service`, want: ['unit-name'] },
    { unit: 'é.service', want: ['unit-name'] },
    { dropin: '../a.conf', want: ['dropin-name'] },
    { dropin: '.conf', want: ['dropin-name'] },
    { dropin: 'a b.conf', want: ['dropin-name'] },
    { dropin: `${'x'.repeat(255)}.conf`, want: ['dropin-name'] },
  ];
  for (const { unit = 'a.service', dropin, want } of table) {
    test(JSON.stringify((dropin ?? unit).slice(0, 40)), () => {
      const dropins = dropin === undefined ? [] : [{ name: dropin }];
      const { issues } = read({ systemd: { units: [{ name: unit, dropins }] } });
      assert.deepEqual(
        issues.map(({ code }) => code.replace('ignition.', '')),
        want,
      );
    });
  }
});

test('owners must be possible accounts', () => {
  const { issues } = readFiles(
    { path: '/etc/a', user: { name: 'a:b' } },
    { path: '/etc/b', group: { id: 4294967295 } },
    { path: '/etc/c', group: { name: '' }, user: { id: 4294967294 } },
  );
  assert.deepEqual(short(issues), [
    'error owner-name storage.files[0].user.name',
    'error id-out-of-range storage.files[1].group.id',
  ]);
});

test('all files together may not decompress to more than the budget', () => {
  const bomb = gzipSync(new Uint8Array(15 * 1024 * 1024)).toString('base64');
  const files = Array.from({ length: 5 }, (_, index) => ({
    path: `/etc/${index}`,
    contents: { source: `data:;base64,${bomb}`, compression: 'gzip' },
  }));
  assert.deepEqual(short(readFiles(...files).issues), [
    'error gzip-too-large storage.files[4].contents.source',
  ]);
});

test('accepted contents are decoded', () => {
  const source = `data:;base64,${gzipSync('hello\n').toString('base64')}`;
  const { config } = readFiles({ path: '/etc/a', contents: { source, compression: 'gzip' } });
  const [file] = config?.files ?? [];
  assert.ok(file);
  assert.equal(new TextDecoder().decode(decodeContents(file)), 'hello\n');
});

test('contents that were not validated are a bug of the caller', () => {
  const file = { path: '/etc/a', contents: { source: 'data:oops' } };
  assert.throws(() => decodeContents(file), { code: 'ignition.contents-not-validated' });
});

test('keys that are spelt otherwise are named with the right spelling, and read on', () => {
  const { issues } = read({
    Storage: { files: [{ Path: '/etc/a', file_mode: 420 }] },
    systemd: { unit: [{ name: 'a.blah' }] },
    passwd: { users: [{ name: 'boot', ssh_authorized_keys: [] }] },
  });
  assert.deepEqual(
    issues.map(({ path, hint }) => `${path}: ${hint}`),
    [
      'Storage: did you mean storage?',
      'storage.files[0].Path: did you mean path?',
      'storage.files[0].file_mode: known here: path, mode, user, group, overwrite, contents',
      'systemd.unit: did you mean units?',
      'systemd.units[0].name: for example chronyd.service',
      'passwd.users[0].ssh_authorized_keys: did you mean sshAuthorizedKeys?',
    ],
  );
});

test('keys of JavaScript objects are keys like others', () => {
  const text = '{"ignition":{"version":"3.4.0"},"__proto__":{"a":1},"constructor":1,"toString":1}';
  const [tree] = parse(text).documents;
  assert.ok(tree);
  assert.deepEqual(short(readIgnition(tree).issues), [
    'error unknown-field __proto__',
    'error unknown-field constructor',
    'error unknown-field toString',
  ]);
});

test('every finding has its place in a YAML text, also within blocks', () => {
  const text = [
    'spec:',
    '  config:',
    '    ignition: {version: 3.4.0}',
    '    systemd:',
    '      units:',
    '        - name: a.service',
    '          contents: |',
    '            [Service]',
    '            ExecStart /bin/true',
    '        - contents: ""',
    '',
  ].join('\n');
  const [document] = parse(text).documents;
  const tree = document && subtree(document, ['spec', 'config']);
  assert.ok(tree);
  const { issues } = readIgnition(tree, { prefix: 'spec.config' });
  assert.deepEqual(
    issues.map(({ line, column, path }) => `${line}:${column} ${path}`),
    ['9:13 spec.config.systemd.units[0].contents', '10:11 spec.config.systemd.units[1].name'],
  );
});

test('a fault within a data URL has the column of its character', () => {
  const text =
    '{"ignition":{"version":"3.4.0"},"storage":{"files":[\n{"path":"/etc/a","contents":{"source":"data:,a b"}}]}}';
  const [tree] = parse(text).documents;
  assert.ok(tree);
  const [issue] = readIgnition(tree).issues;
  assert.equal(text.split('\n')[1]?.[(issue?.column ?? 0) - 1], ' ');
});
