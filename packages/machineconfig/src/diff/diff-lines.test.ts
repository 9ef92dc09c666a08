import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { emptyIgnitionConfig, type IgnitionConfig } from '@slipway/ignition';
import { diffConfigs } from './config-diff.ts';
import { diffLines } from './diff-lines.ts';

type Side = Partial<IgnitionConfig> & { readonly kernelArguments?: readonly string[] };

function shown(before: Side, after: Side, showSecrets = false): string {
  const [left, right] = [before, after].map(({ kernelArguments = [], ...ignition }) => ({
    ignition: { ...emptyIgnitionConfig, ...ignition },
    kernelArguments,
  }));
  assert.ok(left !== undefined && right !== undefined);
  return diffLines(diffConfigs(left, right), { showSecrets })
    .map(({ text }) => text)
    .join('\n');
}

const data = (text: string) => ({ contents: { source: `data:,${encodeURIComponent(text)}` } });
const file = (path: string, text: string, more = {}) => ({
  files: [{ path, ...data(text), ...more }],
});
const masked = /contents are masked/;

suite('differences in lines', () => {
  test('contents are decoded, mode and owner are words', () => {
    assert.equal(
      shown(file('/etc/a', 'one\ntwo\n'), {
        files: [{ path: '/etc/a', mode: 0o755, user: { name: 'app' }, ...data('one\n2\n') }],
      }),
      `file /etc/a (changed: contents, mode, owner)
-mode: 0644
+mode: 0755
-owner: root:root
+owner: app:root
--- before/etc/a
+++ after/etc/a
@@ -1,2 +1,2 @@
 one
-two
+2`,
    );
  });

  test('what is new has nothing before it', () => {
    assert.equal(
      shown({}, file('/etc/a', 'one\n')),
      'file /etc/a (added)\n+mode: 0644\n+owner: root:root\n--- /dev/null\n+++ after/etc/a\n@@ -0,0 +1 @@\n+one',
    );
  });

  test('units, drop-ins, keys and kernel arguments', () => {
    const dropins = [{ name: 'x.conf', contents: '[Service]\n' }];
    assert.equal(
      shown(
        { units: [{ name: 'a.service', enabled: true, dropins: [] }], kernelArguments: ['a'] },
        {
          units: [{ name: 'a.service', enabled: false, mask: true, dropins }],
          sshAuthorizedKeys: ['ssh-ed25519 AAAA ops'],
          kernelArguments: ['a', 'b'],
        },
      ),
      `unit a.service (changed: enabled, mask, dropins)
-enabled: true
+enabled: false
+mask: true
--- /dev/null
+++ after/etc/systemd/system/a.service.d/x.conf
@@ -0,0 +1 @@
+[Service]
SSH keys of boot (changed)
@@ -0,0 +1 @@
+ssh-ed25519 AAAA ops
kernel arguments (changed)
@@ -1 +1,2 @@
 a
+b`,
    );
  });

  test('binary contents are told by their size', () => {
    const binary = { files: [{ path: '/etc/a', contents: { source: 'data:,%00%FF' } }] };
    assert.match(
      shown(file('/etc/a', 'x'), binary),
      /binary contents differ: 1 bytes before, 2 bytes/,
    );
  });

  const secrets = [
    {
      name: 'mode 0600',
      before: file('/etc/a', 's1', { mode: 0o600 }),
      after: file('/etc/a', 's2', { mode: 0o600 }),
    },
    {
      name: 'was secret, is public',
      before: file('/etc/a', 's1', { mode: 0o640 }),
      after: file('/etc/a', 's2'),
    },
    { name: 'new and secret', before: {}, after: file('/etc/a', 's1', { mode: 0o400 }) },
    ...[
      '/etc/app/secret.conf',
      '/etc/ssl/private/a.pem',
      '/etc/tls.key',
      '/root/.ssh/id_rsa',
      '/etc/api-token',
    ].map((path) => ({ name: path, before: file(path, 's1'), after: file(path, 's2') })),
  ];
  for (const { name, before, after } of secrets)
    test(`masked: ${name}`, () => {
      assert.match(shown(before, after), masked);
      assert.doesNotMatch(shown(before, after), /s1|s2/);
      assert.match(shown(before, after, true), /s1/);
    });

  for (const path of [
    '/etc/chrony.conf',
    '/etc/tokenizer.conf',
    '/etc/monkey.conf',
    '/etc/keys.conf',
  ])
    test(`shown: ${path}`, () => assert.doesNotMatch(shown({}, file(path, 'x')), masked));
});
