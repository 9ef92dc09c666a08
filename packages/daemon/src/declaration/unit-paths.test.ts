import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enablementLinks, installSection } from './unit-paths.ts';

const unit = `[Unit]
Description=WantedBy=nothing
# [Install]
[Service]
ExecStart=/bin/true
[Install]
; a comment
WantedBy = multi-user.target \\
  graphical.target
RequiredBy=network.target
Alias=other.service
`;

test('the [Install] section, comments and white space dropped', () => {
  assert.deepEqual(installSection(unit), [
    'WantedBy=multi-user.target graphical.target',
    'RequiredBy=network.target',
    'Alias=other.service',
  ]);
  assert.deepEqual(installSection('[Unit]\nDescription=x\n'), []);
});

test('the links that enabling makes', () => {
  assert.deepEqual(
    enablementLinks('a.service', '[Install]\nWantedBy=x.target\nWantedBy=\nAlias=a.service\n'),
    [],
  );
  assert.deepEqual(enablementLinks('a.service', unit), [
    '/etc/systemd/system/multi-user.target.wants/a.service',
    '/etc/systemd/system/graphical.target.wants/a.service',
    '/etc/systemd/system/network.target.requires/a.service',
    '/etc/systemd/system/other.service',
  ]);
});
