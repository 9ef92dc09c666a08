import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  type MachineConfigPool,
  machineConfigPools,
  type Node,
  nodeAnnotation,
  nodes,
} from '@slipway/api';
import { createKubeClient, type KubeClient, kubeconfigConnection } from '@slipway/kube';
import { findKubectl, withoutKubectl } from '../kit/kubectl.ts';
import { waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';

const examples = resolve(import.meta.dirname, '../../examples');

/** True when the node does not carry work right now: cordoned, not ready, or not Done. */
function isUnavailable(node: Node): boolean {
  const ready =
    node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status === 'True';
  const state = node.metadata?.annotations?.[nodeAnnotation.state];
  const { [nodeAnnotation.currentConfig]: current, [nodeAnnotation.desiredConfig]: desired } =
    node.metadata?.annotations ?? {};
  return !ready || node.spec?.unschedulable === true || state !== 'Done' || current !== desired;
}

suite('a rollout with maxUnavailable 1 on three workers', { skip: withoutKubectl }, () => {
  let cluster: TryCluster;
  let client: KubeClient;

  before(async () => {
    cluster = await TryCluster.start({ nodes: 3, controlPlanes: 1 });
    client = createKubeClient(kubeconfigConnection(cluster.kubeconfig));
    await waitForPool(cluster.kubectl, 'worker', { machines: 3 });
  });
  after(async () => {
    client.close();
    await cluster[Symbol.asyncDispose]();
  });

  test('never two unavailable, oldest first, and 3/2/2 Updating is seen in passing', async () => {
    const abort = new AbortController();
    const current = new Map<string, Node>();
    const order: string[] = [];
    let most = 0;
    const observe = (node: Node) => {
      const name = node.metadata?.name ?? '';
      if (!name.startsWith('worker-')) return;
      current.set(name, node);
      const down = [...current.values()]
        .filter(isUnavailable)
        .map((each) => each.metadata?.name ?? '');
      most = Math.max(most, down.length);
      for (const each of down) if (order.at(-1) !== each) order.push(each);
    };
    const pages = [];
    for await (const page of client.pages(nodes)) pages.push(page);
    for (const page of pages) page.items.forEach(observe);
    const watching = (async () => {
      const resourceVersion = pages.at(-1)?.metadata?.resourceVersion ?? '';
      for await (const event of client.watch(nodes, { resourceVersion, signal: abort.signal })) {
        if (event.type !== 'BOOKMARK' && event.type !== 'DELETED') observe(event.object);
      }
    })().catch(() => undefined);

    const poolCounts = new Set<string>();
    const pools = await client.list(machineConfigPools);
    const poolWatch = (async () => {
      const resourceVersion = pools[0]?.metadata?.resourceVersion ?? '';
      for await (const event of client.watch<MachineConfigPool>(machineConfigPools, {
        resourceVersion,
        signal: abort.signal,
      })) {
        if (event.type === 'BOOKMARK' || event.object.metadata?.name !== 'worker') continue;
        const { machineCount, readyMachineCount, updatedMachineCount, conditions } =
          event.object.status ?? {};
        const updating = conditions?.find((condition) => condition.type === 'Updating')?.status;
        poolCounts.add(`${machineCount}/${readyMachineCount}/${updatedMachineCount} ${updating}`);
      }
    })().catch(() => undefined);

    await cluster.kubectl.run(['apply', '-f', `${examples}/00-policy.yaml`]);
    await cluster.kubectl.run(['apply', '-f', `${examples}/99-worker-script.yaml`]);
    await waitForPool(cluster.kubectl, 'worker', {
      machines: 3,
      sources: ['00-worker', '99-worker-script'],
    });
    abort.abort();
    await Promise.all([watching, poolWatch]);

    const byAge = [...current.values()]
      .sort((a, b) =>
        `${a.metadata?.creationTimestamp}${a.metadata?.name}`.localeCompare(
          `${b.metadata?.creationTimestamp}${b.metadata?.name}`,
        ),
      )
      .map((node) => node.metadata?.name);
    assert.equal(most, 1, 'nodes unavailable at once');
    assert.deepEqual(order, byAge);
    assert.ok(poolCounts.has('3/2/2 True'), `3/2/2 Updating among ${[...poolCounts].join(', ')}`);
  });

  test('kubectl get -w shows the rollout and ends when it is stopped', async () => {
    const child = spawn(findKubectl() ?? '', [
      `--kubeconfig=${cluster.kubeconfig}`,
      'get',
      'machineconfigpool',
      'worker',
      '-w',
    ]);
    let seen = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
    });
    await cluster.kubectl.run(['delete', 'machineconfig', '99-worker-script']);
    await waitForPool(cluster.kubectl, 'worker', { machines: 3, sources: ['00-worker'] });
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('exit', resolve));
    assert.match(seen, /^worker .* False +True +False +3 +/m);
    assert.match(seen, /^worker .* True +False +False +3 +3 +3 +0/m);
  });
});
