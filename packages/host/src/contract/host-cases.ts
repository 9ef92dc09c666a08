import assert from 'node:assert/strict';
import { type ContractCase, readable } from './contract-case.ts';

/** Files, accounts and boot: what differs between hosts is how owners and reboots are done. */
export const hostCases: readonly ContractCase[] = [
  {
    name: 'owner and mode are what was asked for, and change alone',
    async run(bench) {
      const { files } = bench.host;
      const path = await bench.file('/etc/slipway-contract', 'x', { mode: 0o640, uid: 7, gid: 8 });
      const { mode, uid, gid } = (await files.stat(path)) ?? assert.fail('no file');
      assert.deepEqual({ mode, uid, gid }, { mode: 0o640, uid: 7, gid: 8 });
      await files.setAttributes(path, { mode: 0o4711, uid: 0, gid: 9 });
      const changed = (await files.stat(path)) ?? assert.fail('no file');
      assert.deepEqual([changed.mode, changed.uid, changed.gid], [0o4711, 0, 9]);
      await bench.file(path, 'y');
      assert.equal((await files.stat(path))?.uid, 0);
    },
  },
  {
    name: 'directories get their owner, and content survives a replacement',
    async run(bench) {
      const { files } = bench.host;
      const made = await files.makeDirectory('/var/lib/slipway-contract/deep', {
        mode: 0o750,
        uid: 3,
        gid: 4,
      });
      assert.deepEqual(made, ['/var/lib/slipway-contract', '/var/lib/slipway-contract/deep']);
      assert.deepEqual((await files.stat('/var/lib/slipway-contract/deep'))?.uid, 3);
      for (const path of [...made].reverse()) assert.equal(await files.removeDirectory(path), true);
    },
  },
  {
    name: 'the root and the kernel’s own file systems are refused for writing',
    async run(bench) {
      const { files } = bench.host;
      assert.match((await files.writeRefusal('/')) ?? '', /root directory/);
      assert.match((await files.writeRefusal('/proc/sys')) ?? '', /kernel interface|read-only/);
      assert.equal(await files.writeRefusal('/etc/not-yet/there'), undefined);
      assert.equal(await files.writeRefusal('/usr/local/bin'), undefined);
      assert.match((await files.writeRefusal('/etc/passwd/x')) ?? '', /not a directory/);
      assert.ok((await files.freeBytes('/etc/not-yet')) > 0);
    },
  },
  {
    name: 'a watch sees a file come, change its content and change its mode',
    async run(bench) {
      const { files } = bench.host;
      for (const path of ['/run/slipway/force', '/etc/slipway/watched']) {
        let wake = (_path: string) => {};
        await using _watch = await files.watch([path], (changed) => wake(changed));
        const acts = [
          () => bench.file(path, 'one'),
          () => bench.file(path, 'two'),
          () => files.setAttributes(path, { ...readable, mode: 0o600 }),
          () => files.remove(path),
        ];
        for (const act of acts) {
          const { promise, resolve } = Promise.withResolvers<string>();
          wake = resolve;
          await act();
          assert.equal(await promise, path);
        }
        await files.removeDirectory(path.slice(0, path.lastIndexOf('/')));
      }
    },
  },
  {
    name: 'a watch sees a file of the vendor’s image change',
    async run(bench) {
      const { files } = bench.host;
      const path = '/etc/chrony.conf';
      const before = await files.read(path);
      const { promise, resolve } = Promise.withResolvers<string>();
      await using _watch = await files.watch([path], resolve);
      await files.write(path, new TextEncoder().encode('# changed\n'), readable);
      assert.equal(await promise, path);
      await files.write(path, before, readable);
    },
  },
  {
    name: 'root, the boot user and nobody have accounts',
    async run(bench) {
      const { accounts } = bench.host;
      assert.deepEqual(await accounts.user('root'), {
        name: 'root',
        uid: 0,
        gid: 0,
        home: '/root',
      });
      assert.deepEqual(await accounts.user(0), await accounts.user('root'));
      const boot = (await accounts.user('boot')) ?? assert.fail('no user boot');
      assert.equal(boot.home, '/home/boot');
      assert.equal((await bench.host.files.stat(boot.home))?.uid, boot.uid);
      assert.equal((await accounts.group('boot'))?.gid, boot.gid);
      assert.equal(await accounts.user('slipway-nobody'), undefined);
    },
  },
  {
    name: 'the boot has an id and a command line',
    async run(bench) {
      assert.match(await bench.host.boot.id(), /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.notEqual(await bench.host.boot.kernelCommandLine(), '');
    },
  },
  {
    name: 'chronyd is an enabled service with a configuration in /etc/chrony.conf',
    async run(bench) {
      const status = await bench.status('chronyd.service');
      assert.deepEqual([status.loadState, status.unitFileState], ['loaded', 'enabled']);
      assert.equal((await bench.host.files.stat('/etc/chrony.conf'))?.mode, readable.mode);
      const before = (await bench.settled('chronyd.service', 'active')).invocationId;
      await bench.host.systemd.restart('chronyd.service');
      const after = await bench.settled('chronyd.service', 'active');
      assert.notEqual(after.invocationId, before);
    },
  },
  {
    name: 'kernel settings are applied by a static oneshot that remains, and can be applied again',
    async run(bench) {
      const unit = 'systemd-sysctl.service';
      await bench.file('/etc/sysctl.d/90-slipway.conf', 'net.core.somaxconn = 4095\n');
      const before = await bench.status(unit);
      assert.deepEqual([before.unitFileState, before.subState], ['static', 'exited']);
      await bench.host.systemd.restart(unit);
      const after = await bench.status(unit);
      assert.deepEqual([after.activeState, after.subState], ['active', 'exited']);
      assert.notEqual(after.invocationId, before.invocationId);
    },
  },
];
