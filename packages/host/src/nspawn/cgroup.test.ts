import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cgroupRoots, cgroupsWithPrefix } from './cgroup.ts';
import { mountsBelow } from './mounts.ts';

suite('what machines occupy', () => {
  test('cgroup hierarchies are where they are mounted', () => {
    for (const root of cgroupRoots()) assert.ok(root.startsWith('/sys/fs/cgroup'), root);
  });

  test('nothing is found for a prefix or folder nobody uses', () => {
    assert.deepEqual(cgroupsWithPrefix('slipway-no-such-'), []);
    assert.deepEqual(mountsBelow('/slipway-no-such-folder'), []);
  });

  test('mounts are listed innermost first, without the folder itself', () => {
    const points = mountsBelow('/proc/..'.slice(0, 5));
    assert.ok(points.every((point) => point.startsWith('/proc/')));
  });
});
