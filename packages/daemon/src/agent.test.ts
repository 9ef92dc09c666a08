import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MachineConfiguration, machineConfigurations } from '@slipway/api';
import type { Host } from '@slipway/host';
import { spec } from './testkit/configs.ts';
import { hurriedClock } from './testkit/hurried-clock.ts';
import { NodeFixture } from './testkit/node-fixture.ts';
import { overrideHost } from './testkit/override-host.ts';

const policy = {
  files: [
    {
      path: '/etc/chrony.conf',
      actions: [{ type: 'Restart', restart: { serviceName: 'chronyd.service' } }],
    },
    { path: '/etc/reboot.conf', actions: [{ type: 'Reboot' }] },
  ],
} as const;

const base = spec({});
const chrony = spec({ files: [{ path: '/etc/chrony.conf', text: 'server new\n' }] });
const two = spec({
  files: [
    { path: '/etc/one.conf', text: 'one\n' },
    { path: '/etc/two.conf', text: 'two\n' },
  ],
});

async function nodeAt(
  name: string,
  config: ReturnType<typeof spec>,
  options: Parameters<typeof NodeFixture.create>[0] = {},
) {
  const node = await NodeFixture.create({ policy, ...options });
  await node.start();
  await node.roll(name, config);
  await node.untilDone(name);
  return node;
}

/** Holds the restart of a service until it is let go. */
function gatedRestart() {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const wrap = (host: Host) =>
    overrideHost(host, {
      systemd: {
        restart: async (unit) => {
          reached.resolve();
          await gate.promise;
          await host.systemd.restart(unit);
        },
      },
    });
  return { wrap, reached: reached.promise, release: () => gate.resolve() };
}

describe('a new target', () => {
  test('waits for drift that it would leave, and says so', async () => {
    await using node = await nodeAt('two', two);
    await node.write('/etc/one.conf', 'changed\n');
    await node.untilDegraded();
    await node.roll('more', spec({ files: [{ path: '/etc/one.conf', text: 'one\n' }] }));
    await node.client.until(() => node.status.configVersion?.desired === 'more');
    assert.match(await node.untilDegraded(), /^unexpected on-disk state: \/etc\/one\.conf/);
    assert.equal(await node.text('/etc/two.conf'), 'two\n');
    await node.write('/etc/one.conf', 'one\n');
    await node.untilDone('more');
    assert.equal(await node.host.files.stat('/etc/two.conf'), undefined);
  });

  test('goes ahead where it takes the drifted path away', async () => {
    await using node = await nodeAt('two', two);
    await node.write('/etc/one.conf', 'changed\n');
    await node.untilDegraded();
    await node.roll('base', base);
    await node.untilDone('base');
    assert.equal(await node.host.files.stat('/etc/one.conf'), undefined);
  });

  test('that is reverted while the host drifts withdraws its drain', async () => {
    await using node = await nodeAt('two', two);
    const files = [
      { path: '/etc/one.conf', text: 'one\n' },
      { path: '/etc/reboot.conf', text: 'new\n' },
    ];
    await node.roll('boot', spec({ files }));
    await node.client.until(() => node.contract.drainRequest?.verb === 'drain');
    await node.stop();
    await node.write('/etc/one.conf', 'changed\n');
    await node.roll('two', two);
    await node.start();
    await node.untilDegraded(/one\.conf: content differs/);
    assert.equal(node.contract.drainRequest?.verb, 'uncordon');
  });

  test('in the middle of an update takes the update back', async () => {
    const { wrap, reached, release } = gatedRestart();
    await using node = await nodeAt('base', base);
    const original = await node.text('/etc/chrony.conf');
    await node.restartDaemon(wrap);
    await node.roll('chrony', chrony);
    await reached;
    await node.roll('base', base);
    release();
    await node.untilDone('base');
    assert.equal(await node.text('/etc/chrony.conf'), original);
    assert.ok(!node.events.some(({ message }) => message === 'the node has chrony'));
  });

  test('that fails is tried again by itself, and succeeds once the cause is gone', async () => {
    await using node = await nodeAt('base', base, { clock: hurriedClock(50) });
    const owned = spec({ files: [{ path: '/etc/app.conf', text: 'a', user: 'app' }] });
    await node.roll('owned', owned);
    assert.match(await node.untilDegraded(), /no user app/);
    await node.write('/etc/passwd', `${await node.text('/etc/passwd')}app:x:777:777::/:/bin/sh\n`);
    await node.untilDone('owned');
    assert.equal((await node.host.files.stat('/etc/app.conf'))?.uid, 777);
  });

  test('waits for the operator to process the policy', async () => {
    await using node = await nodeAt('base', base, { clock: hurriedClock(10) });
    const configuration = node.client.peek(machineConfigurations, 'cluster') ?? {};
    const changed: MachineConfiguration = {
      ...configuration,
      metadata: { name: 'cluster', generation: 2 },
    };
    await node.client.update(machineConfigurations, changed);
    await node.roll('chrony', chrony);
    const asked = () =>
      node.client.requests.filter((request) => request === 'get machineconfigurations/cluster');
    // Two more looks at the policy, and nothing written meanwhile.
    const before = asked().length;
    while (asked().length < before + 2) await hurriedClock(1).sleep(5);
    assert.notEqual(await node.text('/etc/chrony.conf'), 'server new\n');
    await node.client.update(machineConfigurations, {
      ...changed,
      status: { ...changed.status, observedGeneration: 2 },
    });
    await node.untilDone('chrony');
  });
});

describe('a daemon that is stopped', () => {
  test('between two steps goes on at the next start', async () => {
    const { wrap, reached, release } = gatedRestart();
    await using node = await nodeAt('base', base);
    await node.restartDaemon(wrap);
    await node.roll('chrony', chrony);
    await reached;
    const stopped = node.stop();
    release();
    await stopped;
    assert.equal(node.contract.state.kind, 'working');
    await node.start();
    await node.untilDone('chrony');
    assert.equal(await node.text('/etc/chrony.conf'), 'server new\n');
  });

  test('while the host drifts tells it at the next start', async () => {
    await using node = await nodeAt('two', two);
    await node.stop();
    await node.write('/etc/one.conf', 'changed\n');
    await node.start();
    assert.match(await node.untilDegraded(), /one\.conf: content differs/);
  });

  test('and whose record is lost takes it from the API', async () => {
    await using node = await nodeAt('two', two);
    await node.stop();
    await node.host.files.remove('/var/lib/machine-config-daemon/current.json');
    await node.write('/etc/one.conf', 'changed\n');
    await node.start();
    assert.match(await node.untilDegraded(), /one\.conf: content differs/);
  });
});

describe('an API that is away', () => {
  test('is tried again; what happened meanwhile is told then', async () => {
    await using node = await nodeAt('two', two, { clock: hurriedClock(10) });
    node.client.failure = new Error('connection refused');
    await node.write('/etc/one.conf', 'changed\n');
    const failures = () => node.client.requests.filter((request) => request.startsWith('patch'));
    const before = failures().length;
    while (failures().length < before + 2) await hurriedClock(1).sleep(5);
    assert.equal(node.contract.state.kind, 'done');
    node.client.failure = undefined;
    await node.untilDegraded(/one\.conf/);
  });
});

describe('a host that changes under a reboot', () => {
  test('is drifted afterwards, not rebooted again', async () => {
    await using node = await nodeAt('base', base, { reboots: false });
    node.answerDrains();
    await node.roll('boot', spec({ files: [{ path: '/etc/reboot.conf', text: 'new\n' }] }));
    await node.untilReboots(1);
    await node.stop();
    await node.write('/etc/reboot.conf', 'something else\n');
    await node.host.powerOn();
    await node.start();
    assert.match(await node.untilDegraded(), /reboot\.conf: content differs/);
    assert.equal(node.contract.state.current, 'boot');
    await node.write('/etc/reboot.conf', 'new\n');
    await node.untilDone('boot');
    assert.equal(node.reboots, 1);
  });
});
