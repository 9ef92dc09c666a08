import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { lockFolder } from './folder-lock.ts';

const base = mkdtempSync(join(tmpdir(), 'slipway-lock-'));
after(() => rmSync(base, { recursive: true, force: true }));

async function taken(folder: string): Promise<AsyncDisposable> {
  const lock = await lockFolder(folder);
  assert.ok(!('holder' in lock), 'is held already');
  return lock;
}

test('one at a time, by whatever name the folder is called, and nothing is written', async () => {
  const folder = mkdtempSync(join(base, 'a'));
  symlinkSync(folder, join(base, 'link'));
  const first = await taken(folder);
  const holder = { holder: { processId: process.pid } };
  assert.deepEqual(await lockFolder(join(base, 'link')), holder);
  assert.deepEqual(readdirSync(folder), []);
  await first[Symbol.asyncDispose]();
  await using _second = await taken(join(base, 'link'));
});

test('two folders have two locks', async () => {
  await using _one = await taken(mkdtempSync(join(base, 'b')));
  await using _other = await taken(mkdtempSync(join(base, 'c')));
});

test('a process that is killed lets it go', async () => {
  const folder = mkdtempSync(join(base, 'd'));
  const module = new URL('./folder-lock.ts', import.meta.url).href;
  const program = `const { lockFolder } = await import(${JSON.stringify(module)});
    await lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  await once(child.stdout, 'data');
  assert.deepEqual(await lockFolder(folder), { holder: { processId: child.pid } });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using _lock = await taken(folder);
});

// Between its fork and its exec a started process has every socket of its parent.
test('processes that other threads start do not keep it', async () => {
  const folder = mkdtempSync(join(base, 'e'));
  const program = `const { spawn } = require('node:child_process');
    const next = () => spawn('true').on('exit', next);
    next(); next();`;
  const threads = [1, 2, 3].map(() => new Worker(program, { eval: true }));
  try {
    for (let round = 0; round < 2_000; round += 1) {
      const lock = await taken(folder);
      await lock[Symbol.asyncDispose]();
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
});
