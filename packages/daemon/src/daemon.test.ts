import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type DisruptionAction, machineConfigs, nodes } from '@slipway/api';
import { compareBytes } from '@slipway/base';
import { spec } from './testkit/configs.ts';
import { createFaultyHost } from './testkit/faulty-host.ts';
import { NodeFixture } from './testkit/node-fixture.ts';
import { overrideHost } from './testkit/override-host.ts';

const restart = (serviceName: string): DisruptionAction => ({
  type: 'Restart',
  restart: { serviceName },
});

const chronyPolicy = {
  files: [
    {
      path: '/etc/chrony.conf',
      actions: [{ type: 'DaemonReload' }, restart('chronyd.service')],
    },
    { path: '/usr/local/bin', actions: [{ type: 'Reboot' }] },
    { path: '/etc/drained', actions: [{ type: 'Drain' }] },
    { path: '/etc/zz-broken', actions: [restart('missing.service')] },
    {
      path: '/etc/noreload',
      actions: [{ type: 'Reload', reload: { serviceName: 'crond.service' } }],
    },
  ],
  units: [
    {
      name: 'ports.service',
      actions: [{ type: 'DaemonReload' }, restart('ports.service')],
    },
  ],
} as const;

const empty = spec({});
const chrony = spec({ files: [{ path: '/etc/chrony.conf', text: 'server new\n' }] });
const script = spec({
  files: [{ path: '/usr/local/bin/tool.sh', text: '#!/bin/sh\n', mode: 0o755 }],
});

/** A node that has an empty configuration named `base`. */
async function settledNode(options: Parameters<typeof NodeFixture.create>[0] = {}) {
  const node = await NodeFixture.create({ policy: chronyPolicy, ...options });
  await node.start();
  await node.roll('base', empty);
  await node.untilDone('base');
  return node;
}

describe('an update', { concurrency: 4 }, () => {
  test('writes, restarts and is done; leaving brings the original back', async () => {
    await using node = await settledNode();
    const original = await node.text('/etc/chrony.conf');
    const { invocationId } = await node.host.systemd.status('chronyd.service');
    await node.roll('chrony', chrony);
    await node.untilDone('chrony');
    assert.equal(await node.text('/etc/chrony.conf'), 'server new\n');
    const after = await node.host.systemd.status('chronyd.service');
    assert.equal(after.activeState, 'active');
    assert.notEqual(after.invocationId, invocationId);
    assert.equal(node.reboots, 0);
    assert.equal(node.contract.drainRequest, undefined);
    await node.roll('base', empty);
    await node.untilDone('base');
    assert.equal(await node.text('/etc/chrony.conf'), original);
  });

  test('a unit that leaves is stopped while its file still says how, not restarted', async () => {
    await using node = await settledNode();
    const ports = {
      name: 'ports.service',
      enabled: true,
      contents: [
        '[Service]',
        'Type=oneshot',
        'RemainAfterExit=yes',
        'ExecStart=/bin/true',
        'ExecStop=/bin/true',
        '[Install]',
        'WantedBy=multi-user.target',
        '',
      ].join('\n'),
    };
    await node.roll('ports', spec({ units: [ports] }));
    await node.untilDone('ports');
    assert.equal((await node.host.systemd.status('ports.service')).activeState, 'active');
    await node.roll('base', empty);
    await node.untilDone('base');
    const { activeState, loadState } = await node.host.systemd.status('ports.service');
    assert.deepEqual([activeState, loadState], ['inactive', 'not-found']);
  });

  test('a service that fails right after its restart fails the update, and runs the old file again', async () => {
    await using node = await settledNode();
    const unit = (program: string) => ({
      name: 'ports.service',
      enabled: true,
      contents: `[Service]\nExecStart=${program}\n[Install]\nWantedBy=multi-user.target\n`,
    });
    await node.roll('good', spec({ units: [unit('/usr/sbin/chronyd')] }));
    await node.untilDone('good');
    await node.roll('bad', spec({ units: [unit('/usr/bin/not-there')] }));
    await node.untilDegraded(/restart ports\.service: it started and is failed/);
    const status = await node.host.systemd.status('ports.service');
    assert.deepEqual([status.activeState, status.needDaemonReload], ['active', false]);
    assert.match(await node.text('/etc/systemd/system/ports.service'), /chronyd/);
    await node.roll('good', spec({ units: [unit('/usr/sbin/chronyd')] }));
    await node.untilDone('good');
  });

  test('an undo before any action leaves no new definition loaded', async () => {
    const reload = (name: string) => ({ name, actions: [{ type: 'DaemonReload' as const }] });
    await using node = await settledNode({
      policy: { units: [reload('ports.service'), reload('other.service')] },
      wrap: (host) =>
        overrideHost(host, {
          systemd: {
            enable: async (unit) => {
              // As systemd does, it loads everything anew, with the files of the update in place.
              await host.systemd.enable(unit);
              if (unit === 'other.service') throw new Error('enable other.service: refused');
            },
          },
        }),
    });
    const unit = (name: string, description: string) => ({
      name,
      enabled: true,
      contents: `[Unit]\nDescription=${description}\n[Service]\nExecStart=/usr/sbin/chronyd\n[Install]\nWantedBy=multi-user.target\n`,
    });
    await node.roll('one', spec({ units: [unit('ports.service', 'one')] }));
    await node.untilDone('one');
    const units = [unit('ports.service', 'two'), unit('other.service', 'new')];
    await node.roll('two', spec({ units }));
    await node.untilDegraded(/refused/);
    assert.match(await node.text('/etc/systemd/system/ports.service'), /Description=one/);
    assert.equal((await node.host.systemd.status('ports.service')).needDaemonReload, false);
  });

  test('drains, reboots, verifies, and asks for the uncordon', async () => {
    await using node = await settledNode();
    const asked = node.answerDrains();
    const bootId = await node.host.boot.id();
    await node.roll('script', script);
    await node.untilDone('script');
    await node.client.until(() => asked.length === 2);
    assert.equal(node.reboots, 1);
    assert.notEqual(await node.host.boot.id(), bootId);
    assert.equal(await node.text('/usr/local/bin/tool.sh'), '#!/bin/sh\n');
    assert.deepEqual(asked, [
      { verb: 'drain', config: 'script' },
      { verb: 'uncordon', config: 'script' },
    ]);
  });

  test('changes nothing before the drain is acknowledged, and withdraws it with the target', async () => {
    await using node = await settledNode();
    await node.roll('script', script);
    await node.client.until(() => node.contract.drainRequest?.verb === 'drain');
    assert.equal(node.contract.state.kind, 'working');
    assert.equal(await node.host.files.stat('/usr/local/bin/tool.sh'), undefined);
    await node.roll('base', empty);
    await node.untilDone('base');
    assert.deepEqual(node.contract.drainRequest, { verb: 'uncordon', config: 'base' });
    assert.equal(await node.host.files.stat('/usr/local/bin/tool.sh'), undefined);
  });

  test('adopts a host: what was there is saved first, and given back with mode and owner', async () => {
    await using node = await NodeFixture.create({ policy: chronyPolicy });
    await node.write('/etc/motd', 'ours\n', 0o600);
    await node.host.files.setAttributes('/etc/motd', { mode: 0o600, uid: 74, gid: 74 });
    await node.start();
    await node.roll('motd', spec({ files: [{ path: '/etc/motd', text: 'theirs\n' }] }));
    await node.untilDone('motd');
    assert.equal(await node.text('/etc/motd'), 'theirs\n');
    await node.roll('base', empty);
    await node.untilDone('base');
    assert.equal(await node.text('/etc/motd'), 'ours\n');
    const stat = await node.host.files.stat('/etc/motd');
    assert.deepEqual([stat?.mode, stat?.uid, stat?.gid], [0o600, 74, 74]);
  });

  test('removes directories it made when they are empty, and only those', async () => {
    await using node = await settledNode();
    const files = [
      { path: '/etc/one/two/a.conf', text: 'a' },
      { path: '/etc/three/b.conf', text: 'b' },
    ];
    await node.roll('dirs', spec({ files }));
    await node.untilDone('dirs');
    await node.write('/etc/three/mine.conf', 'mine');
    await node.roll('base', empty);
    await node.untilDone('base');
    assert.equal(await node.host.files.stat('/etc/one'), undefined);
    assert.deepEqual(await node.host.files.list('/etc/three'), ['mine.conf']);
  });

  test('writes the SSH keys of boot, closed to others', async () => {
    await using node = await settledNode();
    const key =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR ops';
    await node.roll('keys', spec({ keys: [key] }));
    await node.untilDone('keys');
    assert.equal(await node.text('/home/boot/.ssh/authorized_keys'), `${key}\n`);
    const directory = await node.host.files.stat('/home/boot/.ssh');
    const file = await node.host.files.stat('/home/boot/.ssh/authorized_keys');
    assert.deepEqual([directory?.mode, directory?.uid], [0o700, 1000]);
    assert.deepEqual([file?.mode, file?.uid], [0o600, 1000]);
    await node.roll('base', empty);
    await node.untilDone('base');
    assert.equal(await node.host.files.stat('/home/boot/.ssh'), undefined);
  });
});

type Refusal = {
  readonly name: string;
  readonly given: Parameters<typeof spec>[0];
  readonly reason: RegExp;
  readonly code: string;
};

const refusals: readonly Refusal[] = [
  {
    name: 'an unknown owner',
    given: { files: [{ path: '/etc/a.conf', text: 'a', user: 'nosuch' }] },
    reason: /set owner of \/etc\/a\.conf: the host has no user nosuch/,
    code: 'daemon.unknown-owner',
  },
  {
    name: 'kernel arguments',
    given: { kernelArguments: ['quiet'] },
    reason: /^kernel arguments: no boot loader found$/,
    code: 'daemon.no-boot-loader',
  },
  {
    name: 'a directory in the place of a file',
    given: { files: [{ path: '/etc/ssh', text: 'a' }] },
    reason: /write \/etc\/ssh: a directory is in its place/,
    code: 'daemon.path-occupied',
  },
  {
    name: 'a path that bypassed admission',
    given: { files: [{ path: '/proc/slipway', text: 'a' }] },
    reason: /read machineconfig bad: spec\.config\.storage\.files\[0\]\.path: /,
    code: 'daemon.configuration-invalid',
  },
  {
    name: 'a service that does not exist',
    given: { files: [{ path: '/etc/zz-broken', text: 'a' }] },
    reason: /missing\.service/,
    code: 'daemon.action-failed',
  },
  {
    name: 'a service that cannot reload',
    given: { files: [{ path: '/etc/noreload', text: 'a' }] },
    reason: /reload crond\.service: the service cannot reload/,
    code: 'daemon.unit-cannot-reload',
  },
];

describe('a configuration that cannot be applied', { concurrency: 4 }, () => {
  for (const { name, given, reason, code } of refusals) {
    test(`${name}: degraded with that cause, nothing changed, healed by the next target`, async () => {
      await using node = await settledNode();
      await node.roll('bad', spec(given));
      const said = await node.untilDegraded();
      assert.match(said, reason);
      await node.client.until(() => node.status.lastError !== undefined);
      assert.equal(node.status.lastError?.code, code);
      assert.deepEqual(node.contract.state, { kind: 'degraded', current: 'base', reason: said });
      for (const { path } of given.files ?? []) {
        assert.notEqual((await node.host.files.stat(path))?.type, 'file');
      }
      await node.roll('base', empty);
      await node.untilDone('base');
      assert.equal(node.status.lastError, undefined);
      assert.equal(node.contract.drainRequest, undefined);
    });
  }

  test('a read-only directory is the reason, and nothing is begun', async () => {
    await using node = await settledNode({
      wrap: (host) =>
        overrideHost(host, {
          files: { writeRefusal: async (path) => `${path} is on a read-only file system` },
        }),
    });
    await node.roll('chrony', chrony);
    const reason = await node.untilDegraded();
    assert.equal(reason, 'write /etc/chrony.conf: /etc is on a read-only file system');
    assert.match(await node.text('/etc/chrony.conf'), /vendor/);
  });

  test('a full file system is the reason, and nothing is begun', async () => {
    await using node = await settledNode({
      wrap: (host) => overrideHost(host, { files: { freeBytes: async () => 1000 } }),
    });
    await node.roll('chrony', chrony);
    assert.match(
      await node.untilDegraded(),
      /^write into \/etc: 11 bytes are needed and 1000 are free$/,
    );
  });

  test('a missing user boot is the reason', async () => {
    await using node = await settledNode();
    const passwd = await node.text('/etc/passwd');
    await node.write('/etc/passwd', passwd.replace(/^boot:.*\n/m, ''));
    const key =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR ops';
    await node.roll('keys', spec({ keys: [key] }));
    assert.match(await node.untilDegraded(), /SSH keys of boot: the host has no such user/);
  });

  test('a rendered configuration that does not exist is the reason', async () => {
    await using node = await settledNode();
    await node.client.create(machineConfigs, { metadata: { name: 'other' } });
    await node.annotate({ 'machineconfiguration.alauda.io/desiredConfig': 'nowhere' });
    assert.match(await node.untilDegraded(), /read machineconfig nowhere: not found/);
  });

  test('the service that was restarted with the new file is restarted with the old one', async () => {
    await using node = await settledNode();
    const original = await node.text('/etc/chrony.conf');
    const files = [
      { path: '/etc/chrony.conf', text: 'server new\n' },
      { path: '/etc/zz-broken', text: 'a' },
    ];
    const { invocationId } = await node.host.systemd.status('chronyd.service');
    await node.roll('bad', spec({ files }));
    await node.untilDegraded(/missing\.service/);
    const now = await node.host.systemd.status('chronyd.service');
    assert.equal(await node.text('/etc/chrony.conf'), original);
    assert.notEqual(now.invocationId, invocationId);
    assert.equal(now.activeState, 'active');
  });

  test('a drained node is given back when the update fails', async () => {
    await using node = await settledNode();
    const asked = node.answerDrains();
    const files = [
      { path: '/etc/drained', text: 'x' },
      { path: '/etc/zz-broken', text: 'a' },
    ];
    await node.roll('bad', spec({ files }));
    await node.untilDegraded(/missing\.service/);
    await node.client.until(() => asked.length === 2);
    assert.deepEqual(asked[1], { verb: 'uncordon', config: 'bad' });
  });

  test('is tried again with the same cause and without flapping', async () => {
    let tries = 0;
    await using node = await settledNode({
      wrap: (host) =>
        overrideHost(host, {
          systemd: {
            restart: async (unit) => {
              if (unit !== 'missing.service') return host.systemd.restart(unit);
              tries += 1;
              throw new Error('restart missing.service: it is not there');
            },
          },
        }),
    });
    const states: string[] = [];
    void node.client.until(() => {
      states.push(node.contract.state.kind);
      return false;
    });
    await node.roll('bad', spec({ files: [{ path: '/etc/zz-broken', text: 'a' }] }));
    await node.untilDegraded(/missing\.service/);
    await node.restartDaemon();
    await node.client.until(() => node.client.requests.length > 0);
    assert.equal(tries, 1);
    assert.equal(states.at(-1), 'degraded');
  });
});

describe('the force file', { concurrency: 4 }, () => {
  const path = '/run/machine-config-daemon-force';

  test('reapplies everything on a healthy node, reboots, and is gone', async () => {
    await using node = await settledNode();
    node.answerDrains();
    await node.roll('chrony', chrony);
    await node.untilDone('chrony');
    await node.write(path, '');
    await node.client.until(() => node.contract.state.kind === 'working');
    await node.untilDone('chrony');
    assert.equal(node.reboots, 1);
    assert.equal(await node.host.files.stat(path), undefined);
  });

  test('repairs a drifted node', async () => {
    await using node = await settledNode();
    node.answerDrains();
    await node.roll('chrony', chrony);
    await node.untilDone('chrony');
    await node.write('/etc/chrony.conf', 'server drifted\n');
    await node.untilDegraded();
    await node.write(path, '');
    await node.untilDone('chrony');
    assert.equal(await node.text('/etc/chrony.conf'), 'server new\n');
    assert.equal(node.reboots, 1);
  });

  test('stays when the attempt fails', async () => {
    await using node = await settledNode({
      wrap: (host) =>
        overrideHost(host, {
          boot: { reboot: () => Promise.reject(new Error('reboot: refused')) },
        }),
    });
    node.answerDrains();
    await node.roll('chrony', chrony);
    await node.untilDone('chrony');
    await node.write(path, '');
    await node.untilDegraded(/reboot: refused/);
    assert.notEqual(await node.host.files.stat(path), undefined);
    assert.equal(await node.text('/etc/chrony.conf'), 'server new\n');
  });
});

describe('a reboot', () => {
  test('that is on its way is not asked for again by what wakes the daemon', async () => {
    let looks = 0;
    await using node = await settledNode({
      reboots: false,
      wrap: (host) =>
        overrideHost(host, {
          boot: {
            id: () => {
              looks += 1;
              return host.boot.id();
            },
          },
        }),
    });
    node.answerDrains();
    await node.roll('script', script);
    await node.untilReboots(1);
    for (let count = 1; count <= 4; count += 1) {
      const before = looks;
      await node.write('/run/machine-config-daemon-force', String(count));
      // Each write wakes a round, and each round looks which boot it is.
      while (looks === before) await setImmediate();
    }
    await node.stop();
    assert.equal(node.reboots, 1);
    assert.equal(await node.text('/usr/local/bin/tool.sh'), '#!/bin/sh\n');
  });

  test('is not asked for a fourth time within half an hour', async () => {
    await using node = await settledNode({ reboots: false });
    node.answerDrains();
    await node.roll('script', script);
    for (let count = 1; count <= 3; count += 1) {
      await node.untilReboots(count);
      // The machine never comes up with a new boot id: the daemon alone starts again.
      await node.restartDaemon();
    }
    const reason = await node.untilDegraded(/three reboots within 30 minutes/);
    assert.match(reason, /script/);
    assert.equal(node.reboots, 3);
    assert.equal(await node.host.files.stat('/usr/local/bin/tool.sh'), undefined);
  });
});

describe('a daemon that is killed', { concurrency: 4 }, () => {
  for (const at of [2, 9, 16, 23, 30, 37]) {
    test(`at its change ${at} goes on where it was`, async () => {
      await using node = await settledNode();
      const faulty = createFaultyHost(node.host, 'kill-after', at);
      await node.restartDaemon(() => faulty.host);
      await node.roll('chrony', chrony);
      await Promise.race([faulty.happened, node.untilDone('chrony')]);
      await node.restartDaemon();
      await node.untilDone('chrony');
      assert.equal(await node.text('/etc/chrony.conf'), 'server new\n');
      await node.roll('base', empty);
      await node.untilDone('base');
    });
  }
});

describe('an idle daemon', () => {
  test('asks the API nothing beside its watch', async () => {
    await using node = await settledNode();
    await node.roll('chrony', chrony);
    await node.untilDone('chrony');
    await node.client.until(() => node.status.configVersion?.current === 'chrony');
    const before = node.client.requests.length;
    // A heartbeat of the kubelet is no news.
    await node.client.patch(nodes, 'worker-1', {
      type: 'merge',
      body: { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    });
    // What follows is seen after the heartbeat: a drift, said in two places.
    await node.write('/etc/chrony.conf', 'server drifted\n');
    await node.untilDegraded();
    await node.client.until(() => node.drift.length > 0);
    assert.deepEqual(node.client.requests.slice(before).toSorted(compareBytes), [
      'patch nodes/worker-1',
      'patch nodes/worker-1',
      'patch status of machineconfignodes/worker-1',
    ]);
  });

  test('costs a rollout no more than fifteen requests', async () => {
    await using node = await settledNode();
    await node.client.until(() => node.status.configVersion?.current === 'base');
    const before = node.client.requests.length;
    await node.roll('chrony', chrony);
    await node.untilDone('chrony');
    await node.client.until(() => node.status.configVersion?.current === 'chrony');
    assert.ok(
      node.client.requests.length - before <= 15,
      node.client.requests.slice(before).join(),
    );
  });
});
