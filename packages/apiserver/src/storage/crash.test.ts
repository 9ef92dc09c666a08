import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { systemClock } from '@slipway/base';
import { Store } from './store.ts';

const writer = new URL('testdata/endless-writer.ts', import.meta.url).pathname;
const rounds = 4;
const acknowledgedPerRound = 60;

/** Runs a writer, kills it in the middle of its work, and returns what it had acknowledged. */
async function killed(path: string, round: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [writer, path, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = '', revision = ''] = line.split(' ');
    // The last line may be torn by the kill; a whole one ends with a dot.
    if (revision.endsWith('.')) acknowledged.set(name, Number(revision.slice(0, -1)));
    if (acknowledged.size === acknowledgedPerRound) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return acknowledged;
}

test('kill -9 loses no acknowledged write and leaves no torn one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'store-crash-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'state.db');
  let highest = 0;
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged = await killed(path, round);
    assert.ok(acknowledged.size >= acknowledgedPerRound);
    const store = new Store({ path, clock: systemClock });
    for (const [name, revision] of acknowledged) {
      const record = store.get({ resource: '/things', namespace: '', name });
      assert.equal(record?.revision, revision, `${name} of round ${round}`);
      assert.equal(JSON.parse(record.body).name, name);
    }
    assert.ok(store.revision > highest);
    highest = store.revision;
    store.close();
  }
});
