import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseMountPoints } from './mount-points.ts';

const mounts = [
  '/dev/vda / ext4 rw 0 0',
  'tmpfs /var/lib/kubelet/pods/a\\040b tmpfs rw 0 0',
  'tmpfs /srv/root/var/lib/kubelet/x tmpfs rw 0 0',
  'tmpfs /srv/rootless tmpfs rw 0 0',
  '',
].join('\n');

suite('parseMountPoints', () => {
  const cases = [
    {
      name: 'the machine itself',
      given: '/',
      want: ['/', '/var/lib/kubelet/pods/a b', '/srv/root/var/lib/kubelet/x', '/srv/rootless'],
    },
    { name: 'inside a folder, not beside it', given: '/srv/root', want: ['/var/lib/kubelet/x'] },
    { name: 'a folder without mounts', given: '/home', want: [] },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.deepEqual(parseMountPoints(mounts, given), want));
});
