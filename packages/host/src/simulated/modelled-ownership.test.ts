import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createHostFiles } from '../file/host-files.ts';
import { noLabels } from '../file/labels.ts';
import { ModelledOwnership } from './modelled-ownership.ts';

suite('modelled ownership', () => {
  const base = mkdtempSync(join(tmpdir(), 'slipway-owners-'));
  const root = join(base, 'root');
  mkdirSync(join(root, 'etc'), { recursive: true });
  after(() => rmSync(base, { recursive: true }));
  const open = () =>
    createHostFiles({
      root,
      ownership: new ModelledOwnership(join(base, 'owners')),
      labels: noLabels,
    });
  const owned = { mode: 0o644, uid: 1000, gid: 1001 };
  const ownerOf = async (path: string, files = open()) => {
    const stat = await files.stat(path);
    return [stat?.uid, stat?.gid];
  };

  test('what was set is remembered, also by another process', async () => {
    const [one, other] = [open(), open()];
    await one.write('/etc/a', Buffer.from('a'), owned);
    assert.deepEqual(await ownerOf('/etc/a', one), [1000, 1001]);
    assert.deepEqual(await ownerOf('/etc/a', other), [1000, 1001]);
    await other.setAttributes('/etc/a', { ...owned, uid: 5 });
    assert.deepEqual(await ownerOf('/etc/a', one), [5, 1001]);
  });

  test('the owner moves with the file, and is not inherited by its successor', async () => {
    await open().write('/etc/b', Buffer.from('b'), owned);
    renameSync(join(root, 'etc/b'), join(root, 'etc/moved'));
    assert.deepEqual(await ownerOf('/etc/moved'), [1000, 1001]);
    copyFileSync(join(root, 'etc/moved'), join(root, 'etc/b'));
    assert.deepEqual(await ownerOf('/etc/b'), [0, 0]);
  });

  test('a replaced file has the owner it was written with', async () => {
    const files = open();
    await files.write('/etc/c', Buffer.from('c'), owned);
    await files.write('/etc/c', Buffer.from('d'), { mode: 0o644, uid: 0, gid: 0 });
    assert.deepEqual(await ownerOf('/etc/c'), [0, 0]);
  });
});
