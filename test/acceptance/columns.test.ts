import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { withoutKubectl } from '../kit/kubectl.ts';
import { waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';

function rows(table: string): string[][] {
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

suite('what kubectl prints, column by column', { skip: withoutKubectl }, () => {
  let cluster: TryCluster;

  before(async () => {
    cluster = await TryCluster.start({ nodes: 3, controlPlanes: 1 });
    await waitForPool(cluster.kubectl, 'worker', { machines: 3 });
    await waitForPool(cluster.kubectl, 'master', { machines: 1 });
  });
  after(() => cluster[Symbol.asyncDispose]());

  test('get machineconfigpool', async () => {
    const [header, ...pools] = rows(await cluster.kubectl.run(['get', 'machineconfigpool']));
    assert.deepEqual(header, [
      'NAME',
      'CONFIG',
      'UPDATED',
      'UPDATING',
      'DEGRADED',
      'MACHINECOUNT',
      'READYMACHINECOUNT',
      'UPDATEDMACHINECOUNT',
      'DEGRADEDMACHINECOUNT',
      'AGE',
    ]);
    assert.deepEqual(
      pools.map(([name, , ...rest]) => [name, ...rest.slice(0, -1)]),
      [
        ['master', 'True', 'False', 'False', '1', '1', '1', '0'],
        ['worker', 'True', 'False', 'False', '3', '3', '3', '0'],
      ],
    );
    for (const [name, config] of pools)
      assert.match(config ?? '', new RegExp(`^rendered-${name}-[0-9a-f]{32}$`));
  });

  test('get machineconfig', async () => {
    const [header, ...configs] = rows(await cluster.kubectl.run(['get', 'machineconfig']));
    assert.deepEqual(header, ['NAME', 'IGNITIONVERSION', 'AGE']);
    const names = configs.map(([name]) => name?.replace(/-[0-9a-f]{32}$/, '-HASH'));
    assert.deepEqual(names, [
      '00-master',
      '00-worker',
      'rendered-master-HASH',
      'rendered-worker-HASH',
    ]);
    assert.deepEqual(new Set(configs.map(([, version]) => version)), new Set(['3.4.0']));
  });

  test('describe names the pool, its conditions and its sources', async () => {
    const pool = await cluster.kubectl.run(['describe', 'machineconfigpool', 'worker']);
    for (const word of [
      'Name:',
      'worker',
      'Machine Count:',
      'Updated',
      'RenderDegraded',
      'NodeDegraded',
      '00-worker',
    ]) {
      assert.ok(pool.includes(word), word);
    }
    const config = await cluster.kubectl.run(['describe', 'machineconfig', '00-master']);
    assert.match(config, /Version:\s+3\.4\.0/);
  });

  test('get node with the custom columns of the product documentation', async () => {
    const columns = [
      'NODE:.metadata.name',
      'DESIRED:.metadata.annotations.machineconfiguration\\.alauda\\.io/desiredConfig',
      'CURRENT:.metadata.annotations.machineconfiguration\\.alauda\\.io/currentConfig',
      'STATE:.metadata.annotations.machineconfiguration\\.alauda\\.io/state',
    ].join(',');
    const [header, ...nodes] = rows(
      await cluster.kubectl.run(['get', 'node', '-o', `custom-columns=${columns}`]),
    );
    assert.deepEqual(header, ['NODE', 'DESIRED', 'CURRENT', 'STATE']);
    assert.equal(nodes.length, 4);
    for (const [node, desired, current, state] of nodes) {
      assert.match(desired ?? '', /^rendered-(master|worker)-[0-9a-f]{32}$/, node);
      assert.deepEqual([current, state], [desired, 'Done']);
    }
  });
});
