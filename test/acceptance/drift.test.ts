import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Node, nodeAnnotation } from '@slipway/api';
import { withoutKubectl } from '../kit/kubectl.ts';
import { nodeStates, readPool, waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';
import { waitUntil } from '../kit/wait-until.ts';

const examples = resolve(import.meta.dirname, '../../examples');
const worker = 'worker-1';
const path = '/etc/chrony.conf';

suite('drift and recovery', { skip: withoutKubectl }, () => {
  let cluster: TryCluster;
  let file: string;

  before(async () => {
    cluster = await TryCluster.start({ nodes: 2, controlPlanes: 1 });
    file = join(cluster.hostRoot(worker), path);
    await waitForPool(cluster.kubectl, 'worker', { machines: 2 });
    for (const name of ['00-policy.yaml', '99-worker-chrony.yaml', '99-worker-firewall.yaml']) {
      await cluster.kubectl.run(['apply', '-f', join(examples, name)]);
    }
    await waitForPool(cluster.kubectl, 'worker', {
      machines: 2,
      sources: ['00-worker', '99-worker-chrony', '99-worker-firewall'],
    });
  });
  after(() => cluster[Symbol.asyncDispose]());

  const bootId = () => cluster.hostFile(worker, '/proc/sys/kernel/random/boot_id');
  const wants = () =>
    join(
      cluster.hostRoot(worker),
      '/etc/systemd/system/multi-user.target.wants/open-node-ports.service',
    );

  async function reason(): Promise<string> {
    const node = await cluster.kubectl.json<Node>(['get', 'node', worker]);
    return node.metadata?.annotations?.[nodeAnnotation.reason] ?? '';
  }

  async function waitForState(wanted: string): Promise<void> {
    await waitUntil(
      `${worker} to be ${wanted}`,
      async () => ((await nodeStates(cluster.kubectl))[worker] === wanted ? true : undefined),
      {
        timeoutMs: 30_000,
        describe: reason,
      },
    );
  }

  const cases: { name: string; harm: () => () => void; finding: string }[] = [
    {
      name: 'edited',
      harm: () => {
        const whole = readFileSync(file);
        appendFileSync(file, 'server evil.example.com\n');
        return () => writeFileSync(file, whole);
      },
      finding: path,
    },
    {
      name: 'another mode',
      harm: () => {
        chmodSync(file, 0o600);
        return () => chmodSync(file, 0o644);
      },
      finding: path,
    },
    {
      name: 'deleted',
      harm: () => {
        const whole = readFileSync(file);
        unlinkSync(file);
        return () => writeFileSync(file, whole, { mode: 0o644 });
      },
      finding: path,
    },
    {
      name: 'replaced by a symlink to a copy',
      harm: () => {
        const copy = `${file}.copy`;
        renameSync(file, copy);
        symlinkSync('chrony.conf.copy', file);
        return () => renameSync(copy, file);
      },
      finding: path,
    },
    {
      name: 'unit disabled',
      harm: () => {
        unlinkSync(wants());
        return () => symlinkSync('/etc/systemd/system/open-node-ports.service', wants());
      },
      finding: 'open-node-ports.service',
    },
  ];
  for (const { name, harm, finding } of cases) {
    test(`${name}: Degraded with the finding, Done when restored, without a reboot`, async () => {
      const before = bootId();
      const restore = harm();
      await waitForState('Degraded');
      assert.ok((await reason()).includes(finding), await reason());
      await waitUntil('the pool to count it', async () =>
        (await readPool(cluster.kubectl, 'worker')).status?.degradedMachineCount === 1
          ? true
          : undefined,
      );
      restore();
      await waitForState('Done');
      assert.equal(bootId(), before);
    });
  }

  test('the force file reapplies and reboots', async () => {
    const before = bootId();
    writeFileSync(file, 'tampered\n');
    await waitForState('Degraded');
    writeFileSync(join(cluster.hostRoot(worker), '/run/machine-config-daemon-force'), '');
    await waitForState('Done');
    assert.match(cluster.hostFile(worker, path) ?? '', /ntp1\.example\.com/);
    assert.equal(cluster.hostFile(worker, '/run/machine-config-daemon-force'), undefined);
    assert.notEqual(bootId(), before);
  });

  test('a config that cannot be applied degrades the first node only, and deleting it heals the pool', async () => {
    const bad = {
      apiVersion: 'machineconfiguration.alauda.io/v1alpha1',
      kind: 'MachineConfig',
      metadata: {
        name: '99-worker-bad',
        labels: { 'machineconfiguration.alauda.io/role': 'worker' },
      },
      spec: {
        config: {
          ignition: { version: '3.4.0' },
          storage: {
            files: [
              {
                path: '/etc/owned.conf',
                user: { name: 'nobody-knows-me' },
                contents: { source: 'data:,x' },
              },
            ],
          },
        },
      },
    };
    await cluster.kubectl.run(['apply', '-f', '-'], JSON.stringify(bad));
    const degraded = await waitUntil('one node to be Degraded', async () => {
      const bad = Object.entries(await nodeStates(cluster.kubectl)).filter(
        ([, state]) => state === 'Degraded',
      );
      return bad.length > 0 ? bad.map(([name]) => name) : undefined;
    });
    assert.equal(degraded.length, 1);
    const node = await cluster.kubectl.json<Node>(['get', 'node', degraded[0] ?? '']);
    assert.match(node.metadata?.annotations?.[nodeAnnotation.reason] ?? '', /nobody-knows-me/);
    await cluster.kubectl.run(['delete', 'machineconfig', '99-worker-bad']);
    await waitForPool(cluster.kubectl, 'worker', {
      machines: 2,
      sources: ['00-worker', '99-worker-chrony', '99-worker-firewall'],
    });
  });
});
