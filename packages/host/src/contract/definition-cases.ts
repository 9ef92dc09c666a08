import assert from 'node:assert/strict';
import { type ContractCase, etc, refuses, sleeper, vendor } from './contract-case.ts';

const failing = '[Service]\nType=oneshot\nExecStart=/bin/false\n';

/** Which files define a unit, and when systemd takes notice of a change. */
export const definitionCases: readonly ContractCase[] = [
  {
    name: 'a changed file is noticed, and used only after a daemon-reload',
    async run(bench) {
      const unit = await bench.unit(sleeper);
      await bench.host.systemd.start(unit);
      assert.equal((await bench.status(unit)).needDaemonReload, false);
      await bench.unit(failing, etc, unit);
      assert.equal((await bench.status(unit)).needDaemonReload, true);
      await bench.host.systemd.restart(unit);
      assert.equal((await bench.status(unit)).activeState, 'active');
      await bench.host.systemd.daemonReload();
      assert.equal((await bench.status(unit)).needDaemonReload, false);
      await refuses(bench.host.systemd.restart(unit), /failed/);
    },
  },
  {
    name: 'a file of a unit that is not in memory is read at its start',
    async run(bench) {
      const unit = await bench.unit(failing);
      assert.equal((await bench.status(unit)).loadState, 'loaded');
      await bench.unit(sleeper, etc, unit);
      await bench.host.systemd.start(unit);
      assert.equal((await bench.status(unit)).activeState, 'active');
    },
  },
  {
    name: 'a daemon-reload leaves what runs alone, also when its file is gone',
    async run(bench) {
      const unit = await bench.unit(sleeper);
      await bench.host.systemd.start(unit);
      const before = await bench.status(unit);
      await bench.host.files.remove(`${etc}/${unit}`);
      assert.equal((await bench.status(unit)).needDaemonReload, true);
      await bench.host.systemd.daemonReload();
      const after = await bench.status(unit);
      assert.deepEqual([after.loadState, after.activeState], ['not-found', 'active']);
      assert.equal(after.invocationId, before.invocationId);
      await bench.host.systemd.stop(unit);
      assert.equal((await bench.status(unit)).activeState, 'inactive');
    },
  },
  {
    name: 'the administrator’s file wins over the vendor’s',
    async run(bench) {
      const unit = await bench.unit(failing, vendor);
      await bench.unit(sleeper, etc, unit);
      await bench.host.systemd.start(unit);
      assert.equal((await bench.status(unit)).activeState, 'active');
      await bench.host.systemd.stop(unit);
      await bench.host.files.remove(`${etc}/${unit}`);
      await bench.host.systemd.daemonReload();
      await refuses(bench.host.systemd.start(unit), /failed/);
    },
  },
  {
    name: 'drop-ins add settings and are noticed when they come, change and go',
    async run(bench) {
      const unit = await bench.unit('[Service]\nType=oneshot\nExecStart=/bin/true\n', vendor);
      const dropIn = `${etc}/${unit}.d/10-remain.conf`;
      await bench.file(dropIn, '[Service]\nRemainAfterExit=yes\n');
      await bench.host.systemd.start(unit);
      assert.equal((await bench.status(unit)).subState, 'exited');
      assert.equal((await bench.status(unit)).needDaemonReload, false);
      await bench.file(`${etc}/${unit}.d/20-more.conf`, '[Unit]\nDescription=more\n');
      assert.equal((await bench.status(unit)).needDaemonReload, true);
      await bench.host.systemd.daemonReload();
      assert.equal((await bench.status(unit)).needDaemonReload, false);
      await bench.file(dropIn, '[Service]\nRemainAfterExit=no\n');
      assert.equal((await bench.status(unit)).needDaemonReload, true);
      await bench.host.systemd.daemonReload();
      await bench.host.files.remove(`${etc}/${unit}.d/20-more.conf`);
      assert.equal((await bench.status(unit)).needDaemonReload, true);
    },
  },
  {
    name: 'drop-ins apply by file name, and an empty value resets a list',
    async run(bench) {
      const unit = await bench.unit(failing, vendor);
      await bench.file(`${etc}/${unit}.d/20-set.conf`, '[Service]\nExecStart=/bin/true\n');
      await bench.file(`${vendor}/${unit}.d/10-reset.conf`, '[Service]\nExecStart=\n');
      await bench.file(`${etc}/${unit}.d/30-ignored.txt`, '[Service]\nExecStart=/bin/false\n');
      await bench.host.systemd.start(unit);
      await bench.file(`${etc}/${unit}.d/10-reset.conf`, '');
      await bench.host.systemd.daemonReload();
      await refuses(bench.host.systemd.start(unit), /failed/);
    },
  },
  {
    name: 'instances share the file and drop-ins of their template',
    async run(bench) {
      const stem = bench.name().replace('.service', '');
      await bench.file(
        `${etc}/${stem}@.service`,
        "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'exit %i'\n[Install]\nWantedBy=multi-user.target\n",
      );
      const dropIn = '[Service]\nRemainAfterExit=yes\n';
      await bench.file(`${etc}/${stem}@.service.d/remain.conf`, dropIn);
      await bench.host.systemd.start(`${stem}@0.service`);
      assert.equal((await bench.status(`${stem}@0.service`)).subState, 'exited');
      await refuses(bench.host.systemd.start(`${stem}@7.service`), /7/);
      await bench.host.systemd.enable(`${stem}@0.service`);
      assert.equal((await bench.status(`${stem}@0.service`)).unitFileState, 'enabled');
      await bench.host.systemd.disable(`${stem}@0.service`);
      assert.equal((await bench.status(`${stem}@0.service`)).unitFileState, 'disabled');
      await bench.host.systemd.stop(`${stem}@0.service`);
      await bench.host.files.removeDirectory(`${etc}/${stem}@.service.d`);
    },
  },
];
