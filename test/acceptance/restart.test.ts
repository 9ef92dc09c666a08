import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { suite, test } from 'node:test';
import type { KubeList, Node } from '@slipway/api';
import { withoutKubectl } from '../kit/kubectl.ts';
import { waitForPool } from '../kit/pool.ts';
import { runProgram } from '../kit/run-program.ts';
import { slipwayProgram, TryCluster } from '../kit/try-cluster.ts';

suite('slipway up, stopped and started again', { skip: withoutKubectl }, () => {
  test('Ctrl-C ends it with 0; the same data go on where they were', async () => {
    await using cluster = await TryCluster.start({ nodes: 1, controlPlanes: 1 });
    await waitForPool(cluster.kubectl, 'worker', { machines: 1 });
    const apply = resolve(import.meta.dirname, '../../examples/99-worker-chrony.yaml');
    await cluster.kubectl.run(['apply', '-f', apply]);
    await waitForPool(cluster.kubectl, 'worker', {
      machines: 1,
      sources: ['00-worker', '99-worker-chrony'],
    });
    const before = await cluster.kubectl.json<KubeList<Node>>(['get', 'nodes']);
    assert.equal(await cluster.stop(), 0);

    await cluster.start();
    await waitForPool(cluster.kubectl, 'worker', {
      machines: 1,
      sources: ['00-worker', '99-worker-chrony'],
    });
    const again = await cluster.kubectl.json<KubeList<Node>>(['get', 'nodes']);
    const identity = (list: KubeList<Node>) =>
      list.items.map((node) => [node.metadata?.name, node.metadata?.uid]);
    assert.deepEqual(identity(again), identity(before));
    assert.match(cluster.hostFile('worker-1', '/etc/chrony.conf') ?? '', /ntp1\.example\.com/);
  });

  test('a second one on the same data is refused; keys are private', async () => {
    await using cluster = await TryCluster.start({ nodes: 1, controlPlanes: 1 });
    const second = await runProgram(
      [process.execPath, slipwayProgram, 'up', '--data', cluster.data],
      {
        timeoutMs: 20_000,
      },
    );
    assert.notEqual(second.code, 0);
    assert.ok(second.stderr.includes(cluster.data), second.stderr);
    assert.equal(statSync(cluster.kubeconfig).mode & 0o777, 0o600);
  });

  const wrong = [
    { name: 'a port that is none', given: ['--port', 'http'], want: /--port/ },
    { name: 'no node at all', given: ['--nodes', '-1'], want: /--nodes/ },
    { name: 'hosts of an unknown kind', given: ['--hosts', 'docker'], want: /simulated.*nspawn/s },
    { name: 'a flag that is misspelled', given: ['--node', '3'], want: /--nodes/ },
  ];
  for (const { name, given, want } of wrong) {
    test(`refused: ${name}`, async () => {
      const result = await runProgram([process.execPath, slipwayProgram, 'up', ...given], {
        timeoutMs: 20_000,
      });
      assert.equal(result.code, 3, result.stderr);
      assert.match(result.stderr, want);
      assert.equal(result.stdout, '');
    });
  }
});
