import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOutput } from '../../output.ts';
import type { CommandContext } from '../program.ts';
import { createGround, rootOf } from './ground.ts';

const context: CommandContext = {
  output: createOutput(process.stdout, process.stderr),
  environment: {
    variables: {},
    workingDirectory: '/srv/here',
    homeDirectory: '/root',
    nodeBinary: process.execPath,
    entryPoint: '',
    userId: 0,
    restartWith: () => undefined,
    interrupted: new AbortController().signal,
  },
};

test('an empty --rootfs is refused: neither the machine nor the working directory is meant', () => {
  assert.throws(() => rootOf(context, { rootfs: '' }), { code: 'cli.bootstrap.rootfs' });
});

test('--rootfs is as the user sees it; without it the machine itself is meant', () => {
  assert.equal(rootOf(context, { rootfs: 'tree' }), '/srv/here/tree');
  assert.equal(rootOf(context, {}), '/');
});

test('programs are found by the path of the user, and where every machine has them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-path-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const kubelet = join(folder, 'slipway-test-kubelet');
  writeFileSync(kubelet, '#!/bin/sh\necho found\n', { mode: 0o755 });
  const { environment } = context;
  const variables = { PATH: `.:relative:${folder}` };
  const ground = createGround({ ...context, environment: { ...environment, variables } });
  assert.equal(await ground.machine.findProgram('slipway-test-kubelet'), kubelet);
  assert.equal((await ground.run?.(['slipway-test-kubelet']))?.stdout, 'found\n');
  assert.notEqual(await ground.machine.findProgram('sh'), undefined);
  assert.equal(await createGround(context).machine.findProgram('slipway-test-kubelet'), undefined);
});
