import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createRootFolderFiles, type HostFiles } from '@slipway/host';
import { beginRun, endRun, isUnfinished } from './unfinished-run.ts';

const base = mkdtempSync(join(tmpdir(), 'slipway-run-'));
after(() => rmSync(base, { recursive: true }));

function machineFiles(): HostFiles {
  const files = createRootFolderFiles({ root: base, userId: process.geteuid?.() ?? 0 });
  assert.ok(files !== undefined);
  return files;
}

suite('a run of a workflow', () => {
  test('is unfinished from its begin to its end, and leaves the directory of Kubernetes open', async () => {
    const files = machineFiles();
    assert.equal(await isUnfinished(files, 'join'), false);
    await beginRun(files, 'join');
    await beginRun(files, 'join');
    assert.equal(await isUnfinished(files, 'join'), true);
    assert.equal(await isUnfinished(files, 'init'), false);
    const modeOf = (path: string) => statSync(join(base, path)).mode & 0o777;
    assert.equal(modeOf('etc/kubernetes'), 0o755);
    assert.equal(modeOf('etc/kubernetes/tmp'), 0o700);
    await endRun(files, 'join');
    assert.equal(await isUnfinished(files, 'join'), false);
    assert.deepEqual(await files.list('/etc/kubernetes'), []);
  });

  test('leaves what others keep in the same folder', async () => {
    const files = machineFiles();
    await beginRun(files, 'init');
    const kept = '/etc/kubernetes/tmp/kubeadm-backup-etcd';
    await files.makeDirectory(kept, { mode: 0o700, uid: 0, gid: 0 });
    await endRun(files, 'init');
    assert.deepEqual(await files.list('/etc/kubernetes/tmp'), ['kubeadm-backup-etcd']);
    await endRun(files, 'init');
  });
});
