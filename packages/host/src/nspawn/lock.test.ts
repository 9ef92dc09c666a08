import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { tryLock, withLock } from './lock.ts';

suite('lock file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-lock-'));
  const path = join(directory, 'lock');
  after(() => rmSync(directory, { recursive: true }));

  test('a living process keeps others out, a dead one does not', async () => {
    const holder = spawn('sleep', ['60']);
    writeFileSync(path, `${holder.pid}\n`);
    assert.equal(tryLock(path), false);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    assert.equal(tryLock(path), true);
    assert.equal(readFileSync(path, 'utf8'), `${process.pid}\n`);
  });

  test('a lock that was never finished is broken', () => {
    writeFileSync(path, '');
    assert.equal(tryLock(path), true);
  });

  test('the lock is released after a failure too', async () => {
    const failing = withLock(path, async () => {
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.equal(existsSync(path), false);
  });
});
