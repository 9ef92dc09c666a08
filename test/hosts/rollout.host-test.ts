import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Node, nodeAnnotation } from '@slipway/api';
import { invocationIds, runInside } from '../kit/nspawn-host.ts';
import { nodeStates, waitForPool } from '../kit/pool.ts';
import { TryCluster } from '../kit/try-cluster.ts';
import { waitUntil } from '../kit/wait-until.ts';

const examples = resolve(import.meta.dirname, '../../examples');
const data = mkdtempSync('/var/tmp/slipway-hosts-');
const workers = ['worker-1', 'worker-2'];

/** What a fleet may leave on this computer, by name: mounts, interfaces, cgroups and processes. */
function occupied(): readonly string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(data));
  const links = readdirSync('/sys/class/net').filter((name) =>
    /^(?:sbr-|vb-s|s[0-9a-f]{4}-)/.test(name),
  );
  const cgroups = readdirSync('/sys/fs/cgroup')
    .flatMap((name) => directories(join('/sys/fs/cgroup', name)))
    .filter((path) => /\/s[0-9a-f]{4}-m\d/.test(path));
  const namespaces = directories('/run/netns');
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => commandLine(pid))
    .filter((line) => line.includes('systemd-nspawn') || line.includes(data));
  return [...mounts, ...links, ...cgroups, ...namespaces, ...processes];
}

function directories(path: string): string[] {
  try {
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return [];
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

suite('the same path on hosts with a real systemd', { timeout: 900_000 }, () => {
  let cluster: TryCluster;
  let vacant: readonly string[];
  const original = new Map<string, string>();

  const directory = (node: string) => realpathSync(join(data, 'hosts', node));
  const inside = (node: string, ...argv: string[]) => runInside(directory(node), argv);
  const settled = (...sources: string[]) =>
    waitForPool(cluster.kubectl, 'worker', {
      machines: 2,
      sources: ['00-worker', ...sources],
      timeoutMs: 120_000,
    });

  before(async () => {
    vacant = occupied();
    cluster = await TryCluster.start({ nodes: 2, controlPlanes: 1, hosts: 'nspawn', data });
    await settled();
    for (const worker of workers)
      original.set(worker, await inside(worker, 'cat', '/etc/chrony.conf'));
    await cluster.kubectl.run(['apply', '-f', join(examples, '00-policy.yaml')]);
  });
  after(async () => {
    await cluster.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test('a chrony change restarts the real service and no other', async () => {
    const earlier = new Map<string, Readonly<Record<string, string>>>();
    for (const worker of workers) earlier.set(worker, await invocationIds(directory(worker)));
    await cluster.kubectl.run(['apply', '-f', join(examples, '99-worker-chrony.yaml')]);
    await settled('99-worker-chrony');
    for (const worker of workers) {
      assert.match(await inside(worker, 'cat', '/etc/chrony.conf'), /ntp1\.example\.com/);
      const now = await invocationIds(directory(worker));
      const was = earlier.get(worker) ?? {};
      const restarted = Object.keys(was).filter((unit) => now[unit] !== was[unit]);
      assert.deepEqual(restarted, ['chronyd.service'], worker);
      assert.equal(
        (await inside(worker, 'systemctl', 'is-active', 'chronyd.service')).trim(),
        'active',
      );
    }
  });

  test('drift is found on the host and cleared by restoring it', async () => {
    const [worker = ''] = workers;
    const reason = async () => {
      const node = await cluster.kubectl.json<Node>(['get', 'node', worker]);
      return node.metadata?.annotations?.[nodeAnnotation.reason] ?? '';
    };
    const state = (wanted: string) =>
      waitUntil(
        `${worker} to be ${wanted}`,
        async () => ((await nodeStates(cluster.kubectl))[worker] === wanted ? true : undefined),
        {
          describe: reason,
        },
      );
    await inside(
      worker,
      'sh',
      '-c',
      'cp -p /etc/chrony.conf /root/kept && echo "# mine" >> /etc/chrony.conf',
    );
    await state('Degraded');
    assert.match(await reason(), /\/etc\/chrony\.conf/);
    await inside(worker, 'sh', '-c', 'cat /root/kept > /etc/chrony.conf');
    await state('Done');
    await inside(worker, 'chown', 'boot', '/etc/chrony.conf');
    await state('Degraded');
    assert.match(await reason(), /owner/);
    await inside(worker, 'chown', 'root', '/etc/chrony.conf');
    await state('Done');
  });

  test('a script change drains, reboots the machine and ends Done', async () => {
    const bootIds = new Map<string, string>();
    const readBootId = (worker: string) => inside(worker, 'cat', '/proc/sys/kernel/random/boot_id');
    for (const worker of workers) bootIds.set(worker, await readBootId(worker));
    await cluster.kubectl.run(['apply', '-f', join(examples, '99-worker-script.yaml')]);
    await settled('99-worker-chrony', '99-worker-script');
    for (const worker of workers) {
      assert.notEqual(await readBootId(worker), bootIds.get(worker), worker);
      assert.equal((await inside(worker, '/usr/local/bin/myapp.sh')).trim(), 'hello from myapp');
    }
  });

  test('units: firewall is started by systemd, and stopped by its ExecStop when it leaves', async () => {
    await cluster.kubectl.run(['apply', '-f', join(examples, '99-worker-firewall.yaml')]);
    await settled('99-worker-chrony', '99-worker-firewall', '99-worker-script');
    for (const worker of workers) {
      assert.equal((await inside(worker, 'cat', '/run/open-node-ports')).trim(), 'opened');
    }
    await cluster.kubectl.run(['delete', 'machineconfig', '99-worker-firewall']);
    await settled('99-worker-chrony', '99-worker-script');
    for (const worker of workers) {
      assert.equal(
        await inside(worker, 'sh', '-c', 'cat /run/open-node-ports 2>/dev/null || echo gone'),
        'gone\n',
      );
    }
  });

  test('a service that cannot run degrades one node, and deleting it heals the pool', async () => {
    const broken = {
      apiVersion: 'machineconfiguration.alauda.io/v1alpha1',
      kind: 'MachineConfig',
      metadata: {
        name: '99-worker-broken',
        labels: { 'machineconfiguration.alauda.io/role': 'worker' },
      },
      spec: {
        config: {
          ignition: { version: '3.4.0' },
          systemd: {
            units: [
              {
                // The policy of the examples restarts this name.
                name: 'open-node-ports.service',
                enabled: true,
                contents:
                  '[Service]\nExecStart=/usr/bin/not-there\n[Install]\nWantedBy=multi-user.target\n',
              },
            ],
          },
        },
      },
    };
    await cluster.kubectl.run(['apply', '-f', '-'], JSON.stringify(broken));
    const degraded = await waitUntil('a node to be Degraded', async () => {
      const states = Object.entries(await nodeStates(cluster.kubectl));
      const names = states.filter(([, state]) => state === 'Degraded').map(([name]) => name);
      return names.length > 0 ? names : undefined;
    });
    assert.equal(degraded.length, 1);
    const node = await cluster.kubectl.json<Node>(['get', 'node', degraded[0] ?? '']);
    assert.match(
      node.metadata?.annotations?.[nodeAnnotation.reason] ?? '',
      /restart open-node-ports\.service: it started and is failed/,
    );
    await cluster.kubectl.run(['delete', 'machineconfig', '99-worker-broken']);
    await settled('99-worker-chrony', '99-worker-script');
  });

  test('deleting brings back what was there', async () => {
    await cluster.kubectl.run(['delete', 'machineconfig', '99-worker-script', '99-worker-chrony']);
    await settled();
    for (const worker of workers) {
      assert.equal(await inside(worker, 'cat', '/etc/chrony.conf'), original.get(worker));
      assert.equal(
        await inside(worker, 'sh', '-c', 'cat /usr/local/bin/myapp.sh 2>/dev/null || echo gone'),
        'gone\n',
      );
    }
  });

  test('stopped in order, it leaves no process, mount, namespace, interface or cgroup', async () => {
    assert.equal(await cluster.stop(), 0);
    assert.deepEqual(occupied(), vacant);
  });
});
