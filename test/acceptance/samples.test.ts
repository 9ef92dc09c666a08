import assert from 'node:assert/strict';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { KubeEvent, KubeList } from '@slipway/api';
import { withoutKubectl } from '../kit/kubectl.ts';
import { waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';
import { waitUntil } from '../kit/wait-until.ts';

const examples = resolve(import.meta.dirname, '../../examples');

function example(name: string): string {
  return join(examples, name);
}

suite('examples on simulated hosts', { skip: withoutKubectl }, () => {
  let cluster: TryCluster;

  before(async () => {
    cluster = await TryCluster.start({ nodes: 1, controlPlanes: 1 });
    await waitForPool(cluster.kubectl, 'worker', { machines: 1 });
    await cluster.kubectl.run(['apply', '-f', example('00-policy.yaml')]);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const worker = 'worker-1';
  let lastSeen = 0;
  const bootId = () => cluster.hostFile(worker, '/proc/sys/kernel/random/boot_id')?.trim();

  async function applied(file: string, source: string): Promise<void> {
    await plannedActions();
    await cluster.kubectl.run(['apply', '-f', example(file)]);
    await waitForPool(cluster.kubectl, 'worker', { machines: 1, sources: ['00-worker', source] });
  }

  async function removed(source: string): Promise<void> {
    await cluster.kubectl.run(['delete', 'machineconfig', source]);
    await waitForPool(cluster.kubectl, 'worker', { machines: 1, sources: ['00-worker'] });
  }

  /** What the worker said it would do, in Events newer than the last call. */
  async function plannedActions(): Promise<readonly string[]> {
    const events = await cluster.kubectl.json<KubeList<KubeEvent>>(['get', 'events', '-A']);
    const version = (event: KubeEvent) => Number(event.metadata.resourceVersion);
    const fresh = events.items.filter(
      (event) => event.involvedObject.name === worker && version(event) > lastSeen,
    );
    lastSeen = Math.max(lastSeen, ...events.items.map(version));
    const said = fresh.flatMap(({ message }) => /^actions: (.*)$/.exec(message ?? '')?.[1] ?? []);
    const [actions, ...others] = new Set(said);
    assert.deepEqual(others, [], 'one plan');
    return actions === undefined || actions === 'none' ? [] : actions.split(', ');
  }

  async function withoutReboot(change: () => Promise<void>): Promise<void> {
    const before = bootId();
    await change();
    assert.equal(bootId(), before, 'the host was not rebooted');
  }

  test('chrony: the file is replaced, the service restarted, and the original comes back', async () => {
    const original = cluster.hostFile(worker, '/etc/chrony.conf');
    assert.ok(original !== undefined, 'the template host has a chrony.conf');
    await withoutReboot(async () => {
      await applied('99-worker-chrony.yaml', '99-worker-chrony');
      assert.match(
        cluster.hostFile(worker, '/etc/chrony.conf') ?? '',
        /^server ntp1\.example\.com iburst$/m,
      );
      assert.deepEqual(await plannedActions(), ['DaemonReload', 'Restart chronyd.service']);
      await removed('99-worker-chrony');
    });
    assert.equal(cluster.hostFile(worker, '/etc/chrony.conf'), original);
  });

  test('disable-chrony: the unit is replaced and disabled, and the vendor state comes back', async () => {
    const link = join(
      cluster.hostRoot(worker),
      '/etc/systemd/system/multi-user.target.wants/chronyd.service',
    );
    assert.ok(lstatSync(link).isSymbolicLink(), 'the template host has chronyd enabled');
    await withoutReboot(async () => {
      await applied('99-worker-disable-chrony.yaml', '99-worker-disable-chrony');
      assert.equal(lstatSync(link, { throwIfNoEntry: false }), undefined);
      assert.match(
        cluster.hostFile(worker, '/etc/systemd/system/chronyd.service') ?? '',
        /off by policy/,
      );
      assert.deepEqual(await plannedActions(), ['DaemonReload']);
      await removed('99-worker-disable-chrony');
    });
    assert.equal(cluster.hostFile(worker, '/etc/systemd/system/chronyd.service'), undefined);
    assert.ok(lstatSync(link).isSymbolicLink(), 'enabled again, as it was found');
  });

  for (const file of ['99-worker-ssh.yaml', '99-worker-ssh-user-alias.yaml']) {
    test(`${file}: the keys of boot, and nothing restarted`, async () => {
      await withoutReboot(async () => {
        await applied(file, '99-worker-ssh');
        const keys = cluster.hostFile(worker, '/home/boot/.ssh/authorized_keys') ?? '';
        assert.deepEqual(
          keys
            .trim()
            .split('\n')
            .map((line) => line.split(' ')[2]),
          ['ops-one', 'ops-two'],
        );
        const mode = (path: string) =>
          lstatSync(join(cluster.hostRoot(worker), path)).mode & 0o7777;
        assert.equal(mode('/home/boot/.ssh/authorized_keys'), 0o600);
        assert.equal(mode('/home/boot/.ssh'), 0o700);
        assert.deepEqual(await plannedActions(), []);
        await removed('99-worker-ssh');
      });
    });
  }

  test('sysctl: Restart systemd-sysctl.service by the directory policy', async () => {
    await withoutReboot(async () => {
      await applied('99-worker-sysctl.yaml', '99-worker-sysctl');
      assert.match(
        cluster.hostFile(worker, '/etc/sysctl.d/90-network.conf') ?? '',
        /somaxconn = 4096/,
      );
      assert.deepEqual(await plannedActions(), ['Restart systemd-sysctl.service']);
      await removed('99-worker-sysctl');
    });
    assert.equal(cluster.hostFile(worker, '/etc/sysctl.d/90-network.conf'), undefined);
  });

  test('firewall: a oneshot unit is written, enabled and restarted', async () => {
    await withoutReboot(async () => {
      await applied('99-worker-firewall.yaml', '99-worker-firewall');
      const wants = join(
        cluster.hostRoot(worker),
        '/etc/systemd/system/multi-user.target.wants/open-node-ports.service',
      );
      assert.match(readlinkSync(wants), /open-node-ports\.service$/);
      assert.match(
        readFileSync(wants.replace('multi-user.target.wants/', ''), 'utf8'),
        /RemainAfterExit=yes/,
      );
      assert.deepEqual(await plannedActions(), ['DaemonReload', 'Restart open-node-ports.service']);
      await removed('99-worker-firewall');
      assert.equal(lstatSync(wants, { throwIfNoEntry: false }), undefined);
    });
  });

  test('script: drained and rebooted, mode 0755, owned by root', async () => {
    const before = bootId();
    await applied('99-worker-script.yaml', '99-worker-script');
    assert.notEqual(bootId(), before, 'the host was rebooted');
    const path = '/usr/local/bin/myapp.sh';
    assert.match(cluster.hostFile(worker, path) ?? '', /hello from myapp/);
    assert.equal(lstatSync(join(cluster.hostRoot(worker), path)).mode & 0o7777, 0o755);
    assert.deepEqual(await plannedActions(), ['Drain', 'Reboot']);
    await removed('99-worker-script');
    assert.equal(cluster.hostFile(worker, path), undefined);
  });

  test('infra: a custom pool inherits worker, adds its own, and gives the node back', async () => {
    await cluster.kubectl.run(['apply', '-f', example('infra-pool.yaml')]);
    await cluster.kubectl.run(['label', 'node', worker, 'node-role.kubernetes.io/infra=']);
    await waitForPool(cluster.kubectl, 'infra', {
      machines: 1,
      sources: ['00-worker', '50-infra-motd'],
    });
    assert.equal(cluster.hostFile(worker, '/etc/motd.d/infra'), 'infrastructure node\n');
    await cluster.kubectl.run(['apply', '-f', example('99-worker-sysctl.yaml')]);
    await waitForPool(cluster.kubectl, 'infra', {
      machines: 1,
      sources: ['00-worker', '99-worker-sysctl', '50-infra-motd'],
    });
    assert.ok(cluster.hostFile(worker, '/etc/sysctl.d/90-network.conf') !== undefined);
    await cluster.kubectl.run(['label', 'node', worker, 'node-role.kubernetes.io/infra-']);
    await waitForPool(cluster.kubectl, 'worker', {
      machines: 1,
      sources: ['00-worker', '99-worker-sysctl'],
    });
    await waitUntil('the infra file to go', () =>
      cluster.hostFile(worker, '/etc/motd.d/infra') === undefined ? true : undefined,
    );
  });
});
