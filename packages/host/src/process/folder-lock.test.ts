import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lockFolder } from './folder-lock.ts';

const base = mkdtempSync(join(tmpdir(), 'slipway-lock-'));
after(() => rmSync(base, { recursive: true, force: true }));

test('one at a time, by whatever name the folder is called, and nothing is written', async () => {
  const folder = mkdtempSync(join(base, 'a'));
  symlinkSync(folder, join(base, 'link'));
  const first = await lockFolder(folder);
  assert.ok(first !== undefined);
  assert.equal(await lockFolder(join(base, 'link')), undefined);
  assert.deepEqual(readdirSync(folder), []);
  await first[Symbol.asyncDispose]();
  await using second = await lockFolder(join(base, 'link'));
  assert.ok(second !== undefined);
});

test('two folders have two locks', async () => {
  await using one = await lockFolder(mkdtempSync(join(base, 'b')));
  await using other = await lockFolder(mkdtempSync(join(base, 'c')));
  assert.ok(one !== undefined && other !== undefined);
});
