import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunProgram } from '@slipway/host';
import { type RuntimeDescription, startRuntime } from '../preflight/testing/described-runtime.ts';
import type { Ground } from '../workflow/ground.ts';
import { recordingReporter } from '../workflow/testing/recording-reporter.ts';
import type { ResetData } from './data.ts';
import { removeContainers } from './remove-containers.ts';

const run: RunProgram = () => assert.fail('no program is needed');

async function remove(criSocket: string, extra: Partial<ResetData> = {}) {
  const { reporter, lines } = recordingReporter();
  const ground = { run } as unknown as Ground;
  const reset = { criSocket } as ResetData['reset'];
  await removeContainers({ reset, ground, reporter, isDryRun: false, ...extra } as ResetData);
  return lines;
}

const cases: readonly {
  readonly name: string;
  readonly pods: NonNullable<RuntimeDescription['pods']>;
  readonly left: readonly string[];
  readonly want: readonly RegExp[];
}[] = [
  { name: 'none', pods: {}, left: [], want: [/removed 0 of 0 pods/] },
  { name: 'at once', pods: { a: 0, b: 0 }, left: [], want: [/removed 2 of 2 pods/] },
  { name: 'at the fifth try', pods: { a: 4, b: 0 }, left: [], want: [/removed 2 of 2 pods/] },
  {
    name: 'one that stays does not keep the others',
    pods: { a: 5, b: 0 },
    left: ['a'],
    want: [/^! pod a .*not removed: .*its network is busy$/, /removed 1 of 2 pods/],
  },
];

suite('pods of a node that is reset', () => {
  for (const { name, pods, left, want } of cases) {
    test(name, async () => {
      await using runtime = await startRuntime({ pods });
      const lines = await remove(runtime.socket);
      assert.deepEqual([...runtime.pods.keys()], left);
      assert.equal(lines.length, want.length, lines.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(lines[index] ?? '', pattern);
    });
  }

  test('are left alone in a dry run and where a folder is the root', async () => {
    await using runtime = await startRuntime({ pods: { a: 0 } });
    const [dry = ''] = await remove(runtime.socket, { isDryRun: true });
    assert.match(dry, /^\[dryrun\] would/);
    const [folder = ''] = await remove(runtime.socket, { ground: {} as Ground });
    assert.match(folder, /left alone/);
    assert.deepEqual([...runtime.pods.keys()], ['a']);
  });

  test('a runtime that is gone is told and does not end the reset', async () => {
    const lines = await remove('unix:///nowhere/cri.sock');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^! containers are not removed.*\/nowhere\/cri\.sock: .*ENOENT/);
  });
});
