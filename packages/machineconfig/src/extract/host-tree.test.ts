import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyIgnitionConfig } from '@slipway/ignition';
import { hostTree } from './host-tree.ts';

test('what a host gets, with modes and owners', () => {
  const entries = hostTree({
    kernelArguments: [],
    ignition: {
      ...emptyIgnitionConfig,
      files: [
        { path: '/etc/a', mode: 0o755, user: { name: 'app' }, contents: { source: 'data:,x' } },
      ],
      units: [
        {
          name: 'a.service',
          contents: '[Unit]\n',
          enabled: true,
          dropins: [
            { name: 'x.conf', contents: '[Unit]\n' },
            { name: 'y.conf', contents: '' },
          ],
        },
        { name: 'b.service', mask: true, contents: '[Unit]\n', dropins: [] },
        { name: 'c.service', enabled: true, contents: '', dropins: [] },
      ],
      sshAuthorizedKeys: ['k1 '],
    },
  });
  const words = entries.map((entry) => {
    const mode = entry.type === 'symlink' ? entry.target : entry.mode.toString(8);
    return `${entry.type} ${entry.path} ${mode} ${entry.user.name ?? entry.user.id}`;
  });
  assert.deepEqual(words, [
    'file /etc/a 755 app',
    'file /etc/systemd/system/a.service 644 0',
    'file /etc/systemd/system/a.service.d/x.conf 644 0',
    'symlink /etc/systemd/system/b.service /dev/null 0',
    'directory /home/boot/.ssh 700 boot',
    'file /home/boot/.ssh/authorized_keys 600 boot',
  ]);
});
