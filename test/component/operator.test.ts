import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  decodeNode,
  encodeDrainRequest,
  encodeState,
  events,
  type KubeObject,
  type MachineConfig,
  machineConfigNodes,
  machineConfigPools,
  machineConfigs,
  machineConfigurations,
  nodes,
  type Pod,
  podDisruptionBudgets,
  pods,
  type Resource,
  roleLabel,
} from '@slipway/api';
import type { JsonObject } from '@slipway/base';
import { ApiError } from '@slipway/kube';
import { type OperatorKit, startOperator } from './operator-kit.ts';

function configOf(name: string, files: readonly JsonObject[]): MachineConfig {
  return {
    metadata: { name, labels: { [roleLabel]: 'worker' } },
    spec: { config: { ignition: { version: '3.4.0' }, storage: { files } } },
  };
}

suite('operator on the embedded API server', () => {
  let kit: OperatorKit;
  before(async () => {
    kit = await startOperator();
  });
  after(() => kit[Symbol.asyncDispose]());

  /** Watches one object from its present state until the condition holds. */
  async function until<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    condition: (object: T) => boolean,
  ): Promise<T> {
    const list = await kit.client.list(resource, { fieldSelector: `metadata.name=${name}` });
    const [found] = list;
    if (found !== undefined && condition(found)) return found;
    const resourceVersion = found?.metadata?.resourceVersion ?? '0';
    const options = { fieldSelector: `metadata.name=${name}`, resourceVersion, timeoutSeconds: 20 };
    for await (const event of kit.client.watch(resource, options))
      if (event.type !== 'BOOKMARK' && condition(event.object)) return event.object;
    throw new Error(`${resource.kind} ${name} never came to what was expected`);
  }

  const poolTarget = async () =>
    (await kit.client.get(machineConfigPools, 'worker')).spec?.configuration?.name ?? '';

  const targeted = (node: string, config: string) =>
    until(nodes, node, (object) => decodeNode(object).desired === config);

  async function refusal(work: Promise<unknown>): Promise<ApiError> {
    const error = await work.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    assert.ok(error instanceof ApiError, 'it was refused');
    return error;
  }

  test('the defaults are there, rendered, and the policy is in force', async () => {
    const pool = await until(
      machineConfigPools,
      'worker',
      ({ status }) => status?.configuration?.name !== undefined,
    );
    assert.match(pool.spec?.configuration?.name ?? '', /^rendered-worker-[0-9a-f]{32}$/);
    const policy = await until(
      machineConfigurations,
      'cluster',
      ({ status }) => status?.observedGeneration !== undefined,
    );
    assert.deepEqual(policy.status?.nodeDisruptionPolicyStatus?.clusterPolicies, {
      sshkey: { actions: [{ type: 'None' }] },
    });
  });

  test('a bad MachineConfig is refused with path and reason', async () => {
    const { status } = await refusal(
      kit.client.create(machineConfigs, configOf('99-bad', [{ path: '/etc/a', mode: 0o7777 }])),
    );
    assert.match(status.message ?? '', /spec\.config\.storage\.files\[0\]\.mode: /);
    const version = {
      metadata: { name: 'x' },
      spec: { config: { ignition: { version: '3.1.0' } } },
    };
    assert.match(
      (await refusal(kit.client.create(machineConfigs, version))).status.message ?? '',
      /3\.4\.0/,
    );
  });

  test('other objects that make no sense are refused', async () => {
    const selector = { matchLabels: { [roleLabel]: 'infra' } };
    await refusal(
      kit.client.create(machineConfigPools, {
        metadata: { name: 'infra' },
        spec: { machineConfigSelector: selector, nodeSelector: { matchLabels: { infra: '' } } },
      }),
    );
    await refusal(
      kit.client.create(machineConfigurations, { metadata: { name: 'mine' }, spec: {} }),
    );
  });

  test('a node gets its target, its MachineConfigNode, and a change after it is done', async () => {
    await kit.addNode('w0');
    const first = await poolTarget();
    await targeted('w0', first);
    await until(machineConfigNodes, 'w0', (object) => object.spec?.pool?.name === 'worker');
    await kit.annotate('w0', encodeState({ kind: 'done', current: first }));
    await until(machineConfigPools, 'worker', ({ status }) => status?.readyMachineCount === 1);
    await kit.client.create(machineConfigs, configOf('99-a', [{ path: '/etc/a' }]));
    const moved = await until(
      machineConfigPools,
      'worker',
      ({ spec }) => spec?.configuration?.name !== first,
    );
    await targeted('w0', moved.spec?.configuration?.name ?? '');
    await kit.client.delete(machineConfigs, '99-a');
    await targeted('w0', first);
    await kit.annotate('w0', encodeState({ kind: 'done', current: first }));
    const status = await until(
      machineConfigPools,
      'worker',
      ({ status: found }) => found?.updatedMachineCount === 1,
    );
    assert.equal(status.status?.configuration?.name, first);
  });

  test('a drain is held up by a budget, says so, and ends when the budget allows it', async () => {
    await kit.addNode('w1');
    const config = await poolTarget();
    await targeted('w1', config);
    const labels = { app: 'a' };
    const pod: Pod = {
      metadata: { name: 'p', namespace: 'default', labels },
      spec: {
        nodeName: 'w1',
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image: 'i' }],
      },
    };
    await kit.client.create(pods, pod);
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const podKey = { namespace: 'default', name: 'p' };
    await kit.client.patch(
      pods,
      podKey,
      { type: 'merge', body: { status: ready } },
      { subresource: 'status' },
    );
    await kit.client.create(podDisruptionBudgets, {
      metadata: { name: 'keep', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await kit.annotate('w1', encodeDrainRequest({ verb: 'drain', config }));
    const cordoned = await until(nodes, 'w1', ({ spec }) => spec?.unschedulable === true);
    assert.equal(decodeNode(cordoned).drainInForce, true);
    const blocked = await until(
      machineConfigNodes,
      'w1',
      ({ status }) => (status?.drainBlockers ?? []).length > 0,
    );
    assert.equal(blocked.status?.drainBlockers?.[0]?.podDisruptionBudget, 'keep');
    await kit.client.delete(podDisruptionBudgets, { namespace: 'default', name: 'keep' });
    // Asks again after a few seconds: a refusal is not hammered.
    await until(nodes, 'w1', (node) => decodeNode(node).drainApplied?.config === config);
    await kit.annotate('w1', {
      ...encodeDrainRequest({ verb: 'uncordon', config }),
      ...encodeState({ kind: 'done', current: config }),
    });
    await until(nodes, 'w1', ({ spec }) => spec?.unschedulable !== true);
    await until(machineConfigNodes, 'w1', ({ status }) => status?.drainBlockers === undefined);
  });

  test("a node's identity writes its own MachineConfigNode and no other", async () => {
    const own = await kit.nodeClient('w0');
    const patch = { type: 'merge', body: { status: { plannedActions: ['Reboot'] } } } as const;
    await own.patch(machineConfigNodes, 'w0', patch, { subresource: 'status' });
    const { status } = await refusal(
      own.patch(machineConfigNodes, 'w1', patch, { subresource: 'status' }),
    );
    assert.equal(status.code, 403);
    await own.get(machineConfigs, await poolTarget());
    await own.get(machineConfigurations, 'cluster');
  });

  test('transitions are Events', async () => {
    const list = await kit.client.list(events);
    const reasons = new Set(list.map(({ reason }) => reason));
    for (const reason of [
      'RenderedConfigGenerated',
      'SetDesiredConfig',
      'Completed',
      'DrainBlocked',
    ])
      assert.ok(reasons.has(reason), `${reason} in ${[...reasons].join()}`);
  });

  test('another operator takes over: webhook, rendering and targets go on', async () => {
    const before = await poolTarget();
    await kit.replaceOperator();
    const bad = configOf('99-bad', [{ path: '/etc/a', mode: 0o7777 }]);
    assert.match(
      (await refusal(kit.client.create(machineConfigs, bad))).status.message ?? '',
      /mode/,
    );
    await kit.client.create(machineConfigs, configOf('99-b', [{ path: '/etc/b' }]));
    const pool = await until(
      machineConfigPools,
      'worker',
      ({ spec }) => spec?.configuration?.name !== before,
    );
    // w0 is the oldest and done; w1 waits for it.
    await targeted('w0', pool.spec?.configuration?.name ?? '');
    assert.equal(decodeNode(await kit.client.get(nodes, 'w1')).desired, before);
  });
});
