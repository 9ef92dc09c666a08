import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHostFiles } from './host-files.ts';
import { noLabels } from './labels.ts';
import { realOwnership } from './ownership.ts';

const writer = fileURLToPath(new URL('./testdata/endless-writer.ts', import.meta.url));
const kills = 8;

async function killWhileWriting(root: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [writer, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await pause(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
}

suite('writer killed at a random moment', () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-crash-'));
  mkdirSync(join(root, 'etc'));
  const files = createHostFiles({ root, ownership: realOwnership, labels: noLabels });

  for (let kill = 0; kill < kills; kill += 1) {
    // Spread over some writes, with a fraction that falls into each of their system calls.
    const afterMs = kill * 2.5 + Math.random() * 2;
    test(`after ${afterMs.toFixed(1)} ms the file is one whole version`, async () => {
      await killWhileWriting(root, afterMs);
      const content = readFileSync(join(root, 'etc/target'));
      const letter = content[0] ?? 0;
      assert.ok(content.equals(Buffer.alloc(100_000, letter)), 'mixed or short content');
      assert.equal(statSync(join(root, 'etc/target')).mode & 0o777, 0o600 + letter - 97);
      await files.removeStaleTemporaries('/etc');
      assert.deepEqual(readdirSync(join(root, 'etc')), ['target']);
    });
  }

  test('clean up', () => rmSync(root, { recursive: true }));
});
