import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutput } from '../../output.ts';
import type { CommandContext } from '../program.ts';
import { rootOf } from './ground.ts';

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
