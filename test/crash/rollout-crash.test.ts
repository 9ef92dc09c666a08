import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConfigMap,
  configMaps,
  type MachineConfig,
  machineConfigs,
  roleLabel,
} from '@slipway/api';
import { createKubeClient, type KubeClient, kubeconfigConnection } from '@slipway/kube';
import { withoutKubectl } from '../kit/kubectl.ts';
import { waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';
import { waitUntil } from '../kit/wait-until.ts';

/**
 * kill -9 of the whole process tree at random moments during rollouts. After each: the API has every
 * write that it acknowledged, and every managed file on every host is one of the contents that were
 * ever declared for it. At the end: everything converges.
 */
const kills = Number(process.env['SLIPWAY_CRASH_KILLS'] ?? '4');
const seed = Number(process.env['SLIPWAY_CRASH_SEED'] ?? `${Date.now() % 2 ** 31}`);
const path = '/etc/slipway-crash/large.conf';

function random(state: { value: number }): number {
  state.value = (Math.imul(state.value, 1664525) + 1013904223) >>> 0;
  return state.value / 2 ** 32;
}

/** 200 kB that differ from version to version in every block, so that a torn write cannot look whole. */
function content(version: number): string {
  const block = createHash('sha256').update(`version ${version}`).digest('hex');
  return `# version ${version}\n${`${block}\n`.repeat(3000)}`;
}

function declared(version: number): MachineConfig {
  return {
    apiVersion: 'machineconfiguration.alauda.io/v1alpha1',
    kind: 'MachineConfig',
    metadata: { name: '99-worker-crash', labels: { [roleLabel]: 'worker' } },
    spec: {
      config: {
        ignition: { version: '3.4.0' },
        storage: {
          files: [
            {
              path,
              mode: 0o640,
              contents: {
                source: `data:;base64,${Buffer.from(content(version)).toString('base64')}`,
              },
            },
            // Every other version reboots the hosts as well (policy below).
            {
              path: '/usr/local/bin/myapp.sh',
              mode: 0o755,
              contents: { source: `data:,echo%20${version >> 1}` },
            },
          ],
        },
      },
    },
  };
}

async function declare(client: KubeClient, version: number): Promise<void> {
  const body = declared(version);
  await client
    .patch(machineConfigs, '99-worker-crash', { type: 'merge', body })
    .catch(() => client.create(machineConfigs, body));
}

type Ledger = { acknowledged: number; version: number };

/** Writes until the server dies; counts only what was answered. */
async function writeUntilKilled(
  client: KubeClient,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const next = ledger.acknowledged + 1;
    const object: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `write-${next}`, namespace: 'default' },
    };
    try {
      await client.create(configMaps, object);
      ledger.acknowledged = next;
      // Paced: what is tested is what a kill does, not how many objects the server can hold.
      await delay(20);
    } catch (error) {
      // The one in flight when the server died may or may not be there; it was not acknowledged.
      if (error instanceof Error && /already exists/.test(error.message))
        ledger.acknowledged = next;
      else if (signal.aborted) return;
      else await delay(20);
    }
  }
}

function assertWholeFiles(cluster: TryCluster, workers: readonly string[], ledger: Ledger): void {
  for (const worker of workers) {
    const found = cluster.hostFile(worker, path);
    if (found === undefined) continue;
    const version = Number(/^# version (\d+)\n/.exec(found)?.[1]);
    assert.ok(
      version <= ledger.version && found === content(version),
      `${worker}: half-written file`,
    );
  }
}

async function assertNothingLost(client: KubeClient, ledger: Ledger): Promise<void> {
  const names = new Set(
    (await client.list(configMaps, { namespace: 'default' })).map((each) => each.metadata?.name),
  );
  const lost = Array.from(
    { length: ledger.acknowledged },
    (_, index) => `write-${index + 1}`,
  ).filter((name) => !names.has(name));
  assert.deepEqual(lost, [], 'acknowledged writes that are gone');
}

test(`${kills} kills of the whole tree during rollouts (seed ${seed})`, {
  skip: withoutKubectl,
  timeout: 1_800_000,
}, async () => {
  const state = { value: seed };
  const workers = ['worker-1', 'worker-2', 'worker-3'];
  await using cluster = await TryCluster.start({ nodes: 3, controlPlanes: 1 });
  const policy = {
    spec: {
      nodeDisruptionPolicy: {
        sshkey: { actions: [{ type: 'None' }] },
        files: [{ path: '/usr/local/bin/myapp.sh', actions: [{ type: 'Reboot' }] }],
      },
    },
  };
  const ledger: Ledger = { acknowledged: 0, version: 0 };
  let prepared = false;
  for (let kill = 1; kill <= kills; kill += 1) {
    const client = createKubeClient(kubeconfigConnection(cluster.kubeconfig));
    if (!prepared) {
      await waitForPool(cluster.kubectl, 'worker', { machines: 3 });
      await cluster.kubectl.run([
        'patch',
        'machineconfiguration',
        'cluster',
        '--type=merge',
        '-p',
        JSON.stringify(policy),
      ]);
      prepared = true;
    }
    const dying = new AbortController();
    const writing = writeUntilKilled(client, ledger, dying.signal);
    // The version counts from before the request: an unanswered declaration may still have happened.
    ledger.version += 1;
    const declaring = declare(client, ledger.version).catch(() => undefined);
    await delay(random(state) * 4000);
    dying.abort();
    await cluster.kill();
    client.close();
    await Promise.all([writing, declaring]);
    assertWholeFiles(cluster, workers, ledger);
    await cluster.start();
    const again = createKubeClient(kubeconfigConnection(cluster.kubeconfig));
    await assertNothingLost(again, ledger);
    again.close();
  }
  const client = createKubeClient(kubeconfigConnection(cluster.kubeconfig));
  ledger.version += 1;
  // The operator that judges declarations starts a moment after the API server.
  const { version } = ledger;
  await waitUntil('the last version to be declared', () =>
    declare(client, version).then(
      () => true,
      () => undefined,
    ),
  );
  // The pool names the same sources before and after: the files tell when the last version is there.
  for (const worker of workers) {
    await waitUntil(
      `${worker} to have version ${ledger.version}`,
      () => (cluster.hostFile(worker, path) === content(ledger.version) ? true : undefined),
      { timeoutMs: 120_000, describe: () => cluster.log() },
    );
  }
  const sources = ['00-worker', '99-worker-crash'];
  await waitForPool(cluster.kubectl, 'worker', { machines: 3, sources, timeoutMs: 120_000 });
  client.close();
});
