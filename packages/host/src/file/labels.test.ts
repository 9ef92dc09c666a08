import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { RunProgram } from '../process/run.ts';
import { createHostFiles } from './host-files.ts';
import { labelsFor, noLabels, selinuxLabels } from './labels.ts';
import { realOwnership } from './ownership.ts';

const own = { mode: 0o644, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

suite('security labels', () => {
  const answer =
    (stdout: string, exitCode = 0): RunProgram =>
    async () => ({
      exitCode,
      signal: undefined,
      stdout,
      stderr: exitCode === 0 ? '' : 'no policy\n',
    });

  test('the temporary file gets the label of its target before it is renamed', async () => {
    const root = mkdtempSync(join(tmpdir(), 'slipway-label-'));
    try {
      mkdirSync(join(root, 'etc'));
      const asked: string[] = [];
      const run: RunProgram = async (argv) => {
        asked.push(argv.join(' '));
        return await answer('system_u:object_r:etc_t:s0\n')(argv);
      };
      const files = createHostFiles({ root, ownership: realOwnership, labels: selinuxLabels(run) });
      const staged = await files.stage('/etc/a', Buffer.from(''), own);
      assert.deepEqual(asked, [
        'matchpathcon -n -- /etc/a',
        `chcon -h -- system_u:object_r:etc_t:s0 ${staged.temporary}`,
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test('a path without a label is left alone; a policy that does not answer is an error', async () => {
    await selinuxLabels(answer('<<none>>\n')).restore('/etc/t', '/etc/a');
    await assert.rejects(selinuxLabels(answer('', 1)).restore('/etc/t', '/etc/a'), {
      code: 'host.file.label',
      message: 'restore label /etc/a: no policy',
    });
  });

  test('a root without the kernel’s interface has no labels', () => {
    assert.equal(labelsFor('/nowhere', answer('')), noLabels);
  });
});
