import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  decodeNode,
  type MachineConfig,
  machineConfigNodes,
  machineConfigPools,
  machineConfigs,
  nodes,
  pods,
  roleLabel,
} from '@slipway/api';
import { VirtualClock } from '@slipway/base';
import { SimulatedCluster } from './testing/simulated-cluster.ts';

function configOf(name: string, text: string): MachineConfig {
  const files = [{ path: '/etc/a', contents: { source: `data:,${text}` } }];
  return {
    metadata: { name, labels: { [roleLabel]: 'worker' } },
    spec: { config: { ignition: { version: '3.4.0' }, storage: { files } } },
  };
}

function condition(cluster: SimulatedCluster, type: string, pool = 'worker'): string | undefined {
  return cluster.pool(pool).status?.conditions?.find((item) => item.type === type)?.status;
}

function isRolledOut(cluster: SimulatedCluster, pool = 'worker'): boolean {
  const { spec, status } = cluster.pool(pool);
  const target = spec?.configuration?.name;
  return (
    target !== undefined &&
    status?.configuration?.name === target &&
    condition(cluster, 'Updated', pool) === 'True' &&
    cluster.api.all(nodes).every((node) => decodeNode(node).desired !== undefined)
  );
}

async function clusterOf(workers: number): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster(new VirtualClock());
  for (let index = 0; index < workers; index += 1) {
    await cluster.addNode(`w${index}`);
    await cluster.clock.advance(1000);
  }
  await cluster.lead();
  await cluster.until(() => isRolledOut(cluster));
  return cluster;
}

/** Applies a change and waits until the pool has it as its target. */
async function change(cluster: SimulatedCluster, apply: () => Promise<unknown>): Promise<void> {
  const before = cluster.pool('worker').spec?.configuration?.name;
  await apply();
  const none = () => [];
  await cluster.until(() => cluster.pool('worker').spec?.configuration?.name !== before, none);
}

suite('a rollout', () => {
  test('adopts the nodes, oldest first, one at a time, and then a change', async () => {
    const cluster = await clusterOf(3);
    const order: string[] = [];
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-a', 'one')));
    const target = cluster.pool('worker').spec?.configuration?.name;
    await cluster.until(() => {
      for (const node of cluster.api.all(nodes)) {
        const name = node.metadata?.name ?? '';
        if (decodeNode(node).desired === target && !order.includes(name)) order.push(name);
      }
      return isRolledOut(cluster);
    });
    assert.deepEqual(order, ['w0', 'w1', 'w2']);
    assert.equal(cluster.mostUnavailable, 1);
    assert.deepEqual(
      cluster.pool('worker').spec?.configuration?.source?.map(({ name }) => name),
      ['00-worker', '99-a'],
    );
    const reasons = cluster.happenings.map(({ reason }) => reason);
    for (const reason of ['RenderedConfigGenerated', 'SetDesiredConfig', 'Updating', 'Completed'])
      assert.ok(reasons.includes(reason), `${reason} in ${reasons.join()}`);
    await cluster.crash();
  });

  test('a burst of writes is rendered once', async () => {
    const cluster = await clusterOf(1);
    const before = cluster.api.all(machineConfigs).length;
    for (let index = 0; index < 10; index += 1)
      await cluster.api.create(machineConfigs, configOf(`99-${index}`, String(index)));
    await cluster.until(
      () =>
        isRolledOut(cluster) && cluster.pool('worker').spec?.configuration?.source?.length === 11,
    );
    assert.equal(cluster.api.all(machineConfigs).length, before + 10 + 1);
    await cluster.crash();
  });

  test('a bad change stops at the first node, and deleting it heals the pool by itself', async () => {
    const cluster = await clusterOf(3);
    const good = cluster.pool('worker').spec?.configuration?.name;
    const fails = (config: string) => config !== good;
    const daemons = () =>
      ['w0', 'w1', 'w2'].map((name) => [name, { fails, drains: true }] as const);
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-bad', 'x')));
    await cluster.until(() => condition(cluster, 'Degraded') === 'True', daemons);
    await cluster.until(() => cluster.clock.monotonic() > 0, daemons);
    const aimed = cluster.api.all(nodes).filter((node) => decodeNode(node).desired !== good);
    assert.deepEqual(
      aimed.map(({ metadata }) => metadata?.name),
      ['w0'],
      'the others are untouched',
    );
    assert.equal(cluster.pool('worker').status?.degradedMachineCount, 1);
    await cluster.api.delete(machineConfigs, '99-bad');
    await cluster.until(
      () => isRolledOut(cluster) && condition(cluster, 'Degraded') === 'False',
      daemons,
    );
    await cluster.until(() => cluster.node('w0').spec?.unschedulable !== true, daemons);
    assert.equal(cluster.mostUnavailable, 1);
    await cluster.crash();
  });

  test('a paused pool renders and does not target', async () => {
    const cluster = await clusterOf(1);
    await cluster.api.patch(machineConfigPools, 'worker', { body: { spec: { paused: true } } });
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-a', 'one')));
    await cluster.until(() => condition(cluster, 'Updated') === 'False');
    assert.equal(condition(cluster, 'Updating'), 'False');
    assert.notEqual(
      decodeNode(cluster.node('w0')).desired,
      cluster.pool('worker').spec?.configuration?.name,
    );
    await cluster.api.patch(machineConfigPools, 'worker', { body: { spec: { paused: null } } });
    await cluster.until(() => isRolledOut(cluster));
    await cluster.crash();
  });

  test('an invalid MachineConfig that got past admission degrades rendering and moves nothing', async () => {
    const cluster = await clusterOf(1);
    const before = cluster.pool('worker').spec?.configuration;
    const bad = {
      ...configOf('99-bad', 'x'),
      spec: { config: { ignition: { version: '9.9.9' } } },
    };
    await cluster.api.create(machineConfigs, bad);
    await cluster.until(() => condition(cluster, 'RenderDegraded') === 'True');
    const message = cluster
      .pool('worker')
      .status?.conditions?.find(({ type }) => type === 'Degraded')?.message;
    assert.match(message ?? '', /99-bad: spec\.config\.ignition\.version/);
    assert.deepEqual(cluster.pool('worker').spec?.configuration, before);
    await cluster.api.delete(machineConfigs, '99-bad');
    await cluster.until(() => condition(cluster, 'RenderDegraded') === 'False');
    await cluster.crash();
  });

  test('a rendering that is deleted while it is in use comes back', async () => {
    const cluster = await clusterOf(1);
    const name = cluster.pool('worker').spec?.configuration?.name ?? '';
    await cluster.api.delete(machineConfigs, name);
    await cluster.until(() => cluster.api.peek(machineConfigs, name) !== undefined);
    await cluster.crash();
  });

  test('a MachineConfigNode comes and goes with its node and follows it to another pool', async () => {
    const cluster = await clusterOf(2);
    const poolOf = (name: string) => cluster.api.peek(machineConfigNodes, name)?.spec?.pool?.name;
    await cluster.until(() => poolOf('w0') === 'worker');
    await cluster.api.create(machineConfigPools, {
      metadata: { name: 'infra' },
      spec: {
        machineConfigSelector: {
          matchExpressions: [{ key: roleLabel, operator: 'In', values: ['worker', 'infra'] }],
        },
        nodeSelector: { matchLabels: { infra: '' } },
      },
    });
    await cluster.api.patch(nodes, 'w0', { body: { metadata: { labels: { infra: '' } } } });
    await cluster.until(() => poolOf('w0') === 'infra' && isRolledOut(cluster, 'infra'));
    assert.match(decodeNode(cluster.node('w0')).desired ?? '', /^rendered-infra-/);
    await cluster.api.delete(nodes, 'w1');
    await cluster.until(() => cluster.api.peek(machineConfigNodes, 'w1') === undefined);
    await cluster.crash();
  });
});

suite('a drain', () => {
  const podOf = (name: string, node: string) => ({
    metadata: { name, namespace: 'default', labels: { app: name } },
    spec: { nodeName: node },
  });

  test('empties the node before it is changed, and the cordon goes afterwards', async () => {
    const cluster = await clusterOf(2);
    await cluster.api.create(pods, podOf('p', 'w0'));
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-a', 'one')));
    const daemons = () => ['w0', 'w1'].map((name) => [name, { drains: true }] as const);
    await cluster.until(() => cluster.node('w0').spec?.unschedulable === true, daemons);
    await cluster.until(() => isRolledOut(cluster), daemons);
    assert.equal(cluster.api.peek(pods, 'default/p'), undefined);
    for (const name of ['w0', 'w1']) assert.notEqual(cluster.node(name).spec?.unschedulable, true);
    await cluster.crash();
  });

  test('what a budget refuses is a blocker at once, and reverting the change aborts the drain', async () => {
    const cluster = await clusterOf(2);
    cluster.api.refuseEviction = () => 'the budget allows no disruption';
    await cluster.api.create(pods, podOf('p', 'w0'));
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-a', 'one')));
    const daemons = () => ['w0', 'w1'].map((name) => [name, { drains: true }] as const);
    const blockers = () => cluster.api.peek(machineConfigNodes, 'w0')?.status?.drainBlockers ?? [];
    await cluster.until(() => cluster.node('w0').spec?.unschedulable === true, daemons);
    const since = cluster.clock.monotonic();
    await cluster.until(() => blockers().length === 1, daemons);
    assert.ok(cluster.clock.monotonic() - since <= 2000);
    assert.equal(blockers()[0]?.pod, 'p');
    await cluster.until(
      () => cluster.happenings.some(({ reason }) => reason === 'DrainBlocked'),
      daemons,
    );
    await cluster.api.delete(machineConfigs, '99-a');
    await cluster.until(() => blockers().length === 0, daemons, 10_000);
    cluster.api.refuseEviction = () => undefined;
    await cluster.until(() => isRolledOut(cluster), daemons);
    await cluster.crash();
  });

  test('an external uncordon is undone while the drain is in force', async () => {
    const cluster = await clusterOf(2);
    cluster.api.refuseEviction = () => 'no';
    await cluster.api.create(pods, podOf('p', 'w0'));
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-a', 'one')));
    const daemons = () => ['w0', 'w1'].map((name) => [name, { drains: true }] as const);
    await cluster.until(() => cluster.node('w0').spec?.unschedulable === true, daemons);
    await cluster.api.patch(nodes, 'w0', { body: { spec: { unschedulable: null } } });
    await cluster.until(
      () => cluster.happenings.some(({ reason }) => reason === 'Recordoned'),
      daemons,
    );
    assert.equal(cluster.node('w0').spec?.unschedulable, true);
    await cluster.crash();
  });

  test('a single node is not drained: its pods have nowhere to go', async () => {
    const cluster = await clusterOf(1);
    cluster.api.refuseEviction = () => 'no';
    await cluster.api.create(pods, podOf('p', 'w0'));
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-a', 'one')));
    await cluster.until(
      () => isRolledOut(cluster),
      () => [['w0', { drains: true }]],
    );
    assert.ok(cluster.happenings.some(({ reason }) => reason === 'DrainSkipped'));
    assert.ok(cluster.api.peek(pods, 'default/p') !== undefined);
    await cluster.crash();
  });

  test('fifty at once go on together, whatever holds up one of them', async () => {
    const cluster = await clusterOf(50);
    const names = Array.from({ length: 50 }, (_, index) => `w${index}`);
    await cluster.api.patch(machineConfigPools, 'worker', {
      body: { spec: { maxUnavailable: 50 } },
    });
    for (const name of names) await cluster.api.create(pods, podOf(`p-${name}`, name));
    cluster.api.refuseEviction = ({ metadata }) => (metadata?.name === 'p-w7' ? 'no' : undefined);
    await change(cluster, () => cluster.api.create(machineConfigs, configOf('99-a', 'one')));
    const daemons = () => names.map((name) => [name, { drains: true }] as const);
    const since = cluster.clock.monotonic();
    await cluster.until(() => cluster.pool('worker').status?.readyMachineCount === 49, daemons);
    assert.ok(cluster.clock.monotonic() - since < 10_000, 'nobody waits for the one that is stuck');
    assert.deepEqual(
      cluster.api.all(pods).map(({ metadata }) => metadata?.name),
      ['p-w7'],
    );
    await cluster.crash();
  });
});
