import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createSimulatedHost, type SimulatedHost } from './simulated-host.ts';

type Body = (host: SimulatedHost, directory: string, reboots: string[]) => Promise<void>;

async function withHost(body: Body): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-power-'));
  const reboots: string[] = [];
  try {
    const onReboot = (reason: string) => void reboots.push(reason);
    await body(await createSimulatedHost({ directory, name: 'w1', onReboot }), directory, reboots);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const open = (directory: string) =>
  createSimulatedHost({ directory, name: 'w1', onReboot: () => undefined });

suite('power of a simulated host', () => {
  test('a new host is off, and systemd does not answer', () =>
    withHost(async (host) => {
      assert.equal(host.isPoweredOn(), false);
      await assert.rejects(host.systemd.status('sshd.service'), /powered off/);
      await host.powerOn();
      assert.equal(host.isPoweredOn(), true);
      await host.powerOff();
      await assert.rejects(host.systemd.start('sshd.service'), /powered off/);
    }));

  test('a boot starts what is enabled, and nothing else', () =>
    withHost(async (host) => {
      await host.powerOn();
      const states = {
        'chronyd.service': 'active',
        'systemd-sysctl.service': 'active',
        'crond.service': 'inactive',
      };
      for (const [unit, want] of Object.entries(states)) {
        assert.equal((await host.systemd.status(unit)).activeState, want, unit);
      }
      assert.equal((await host.systemd.status('multi-user.target')).activeState, 'active');
    }));

  test('a boot has its own id and invocations, and forgets /run and /tmp', () =>
    withHost(async (host, directory) => {
      await host.powerOn();
      const before = [
        await host.boot.id(),
        (await host.systemd.status('sshd.service')).invocationId,
      ];
      writeFileSync(join(directory, 'root/run/flag'), '');
      mkdirSync(join(directory, 'root/tmp/x/y'), { recursive: true });
      writeFileSync(join(directory, 'root/etc/kept'), '');
      await host.powerOn();
      assert.notEqual(await host.boot.id(), before[0]);
      assert.notEqual((await host.systemd.status('sshd.service')).invocationId, before[1]);
      assert.deepEqual(readdirSync(join(directory, 'root/run')), []);
      assert.deepEqual(readdirSync(join(directory, 'root/tmp')), []);
      assert.ok(existsSync(join(directory, 'root/etc/kept')));
      assert.equal((await host.files.stat('/tmp'))?.mode, 0o1777);
    }));

  test('a link in place of /tmp is replaced, what it leads to is not emptied', () =>
    withHost(async (host, directory) => {
      mkdirSync(join(directory, 'precious/child'), { recursive: true });
      rmSync(join(directory, 'root/tmp'), { recursive: true });
      symlinkSync('../precious', join(directory, 'root/tmp'));
      await host.powerOn();
      assert.deepEqual(readdirSync(join(directory, 'precious')), ['child']);
    }));

  test('a unit that fails does not keep others from starting', () =>
    withHost(async (host) => {
      const broken =
        '[Service]\nType=oneshot\nExecStart=/bin/false\n[Install]\nWantedBy=multi-user.target\n';
      const path = '/etc/systemd/system/a-broken.service';
      await host.files.write(path, Buffer.from(broken), { mode: 0o644, uid: 0, gid: 0 });
      await host.powerOn();
      await host.systemd.enable('a-broken.service');
      await host.powerOn();
      assert.equal((await host.systemd.status('a-broken.service')).activeState, 'failed');
      assert.equal((await host.systemd.status('sshd.service')).activeState, 'active');
    }));

  test('a process that takes over finds everything as it was', () =>
    withHost(async (host, directory) => {
      await host.powerOn();
      const before = await host.systemd.status('chronyd.service');
      await host.files.makeDirectory('/etc/systemd/system/chronyd.service.d', {
        mode: 0o755,
        uid: 0,
        gid: 0,
      });
      await host.files.write(
        '/etc/systemd/system/chronyd.service.d/a.conf',
        Buffer.from('[Unit]\n'),
        {
          mode: 0o640,
          uid: 12,
          gid: 34,
        },
      );
      const other = await open(directory);
      assert.equal(other.isPoweredOn(), true);
      assert.deepEqual(await other.systemd.status('chronyd.service'), {
        ...before,
        needDaemonReload: true,
      });
      const stat = await other.files.stat('/etc/systemd/system/chronyd.service.d/a.conf');
      assert.deepEqual([stat?.mode, stat?.uid, stat?.gid], [0o640, 12, 34]);
      await other.systemd.restart('chronyd.service');
      const after = await host.systemd.status('chronyd.service');
      assert.notEqual(after.invocationId, before.invocationId);
      assert.equal(await other.boot.id(), await host.boot.id());
    }));

  test('a reboot is only asked for', () =>
    withHost(async (host, _directory, reboots) => {
      await host.powerOn();
      const id = await host.boot.id();
      await host.boot.reboot('new kernel arguments');
      assert.deepEqual(reboots, ['new kernel arguments']);
      assert.equal(await host.boot.id(), id);
    }));

  test('a half-made root of a killed process is made anew', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-power-'));
    try {
      mkdirSync(join(directory, 'root.new/etc'), { recursive: true });
      const host = await open(directory);
      assert.equal((await host.accounts.user('boot'))?.home, '/home/boot');
      assert.deepEqual(
        readdirSync(directory).filter((name) => name.startsWith('root')),
        ['root'],
      );
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
