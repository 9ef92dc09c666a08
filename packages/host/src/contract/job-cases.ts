import assert from 'node:assert/strict';
import { type ContractCase, refuses, sleeper } from './contract-case.ts';

const oneshot = (command: string, more = '') =>
  `[Service]\nType=oneshot\nExecStart=${command}\n${more}`;

/** Starting, stopping, restarting and reloading units. */
export const jobCases: readonly ContractCase[] = [
  {
    name: 'a unit without a file is not found',
    async run(bench) {
      const unit = bench.name();
      const status = await bench.status(unit);
      assert.equal(status.loadState, 'not-found');
      assert.equal(status.activeState, 'inactive');
      assert.equal(status.unitFileState, '');
      assert.equal(status.invocationId, '');
      await refuses(bench.host.systemd.start(unit), /not found/);
      await refuses(bench.host.systemd.restart(unit), /not found/);
      await refuses(bench.host.systemd.stop(unit), /not loaded/);
    },
  },
  {
    name: 'a service starts once, restarts with a new invocation and stops',
    async run(bench) {
      const unit = await bench.unit(sleeper);
      const { systemd } = bench.host;
      await systemd.start(unit);
      const first = await bench.status(unit);
      assert.deepEqual([first.activeState, first.subState], ['active', 'running']);
      assert.match(first.invocationId, /^[0-9a-f]{32}$/);
      await systemd.start(unit);
      assert.equal((await bench.status(unit)).invocationId, first.invocationId);
      await systemd.restart(unit);
      assert.notEqual((await bench.status(unit)).invocationId, first.invocationId);
      await systemd.stop(unit);
      const last = await bench.status(unit);
      assert.deepEqual([last.activeState, last.subState], ['inactive', 'dead']);
      await systemd.restart(unit);
      assert.equal((await bench.status(unit)).activeState, 'active');
    },
  },
  {
    name: 'a restart touches no other unit',
    async run(bench) {
      const [one, other] = [await bench.unit(sleeper), await bench.unit(sleeper)];
      await bench.host.systemd.start(one);
      await bench.host.systemd.start(other);
      const before = (await bench.status(other)).invocationId;
      await bench.host.systemd.restart(one);
      assert.equal((await bench.status(other)).invocationId, before);
    },
  },
  {
    name: 'a oneshot is over when it has run, unless it remains',
    async run(bench) {
      const over = await bench.unit(oneshot('/bin/true'));
      await bench.host.systemd.start(over);
      assert.equal((await bench.status(over)).activeState, 'inactive');
      const remains = await bench.unit(oneshot('/bin/true', 'RemainAfterExit=yes\n'));
      await bench.host.systemd.start(remains);
      const status = await bench.status(remains);
      assert.deepEqual([status.activeState, status.subState], ['active', 'exited']);
      await bench.host.systemd.restart(remains);
      assert.notEqual((await bench.status(remains)).invocationId, status.invocationId);
    },
  },
  {
    name: 'a oneshot that fails makes its start fail, and can be repaired',
    async run(bench) {
      const unit = await bench.unit(oneshot("/bin/sh -c 'exit 3'"));
      await refuses(bench.host.systemd.start(unit), /Job for .* failed.*exit-code.*3/s);
      const status = await bench.status(unit);
      assert.deepEqual([status.activeState, status.subState], ['failed', 'failed']);
      await bench.unit(oneshot('/bin/true', 'RemainAfterExit=yes\n'), undefined, unit);
      assert.equal((await bench.status(unit)).needDaemonReload, true);
      await bench.host.systemd.daemonReload();
      await bench.host.systemd.restart(unit);
      assert.equal((await bench.status(unit)).activeState, 'active');
    },
  },
  {
    name: 'a failure that is marked as harmless is none',
    async run(bench) {
      const unit = await bench.unit(oneshot('-/bin/false', 'RemainAfterExit=yes\n'));
      await bench.host.systemd.start(unit);
      assert.equal((await bench.status(unit)).activeState, 'active');
    },
  },
  {
    name: 'a program that does not exist fails a oneshot at its start, a simple service after it',
    async run(bench) {
      const first = await bench.unit(oneshot('/usr/bin/slipway-no-such-program'));
      await refuses(bench.host.systemd.start(first), /203/);
      const second = await bench.unit('[Service]\nExecStart=/usr/bin/slipway-no-such-program\n');
      await bench.host.systemd.start(second);
      assert.equal((await bench.settled(second, 'failed')).subState, 'failed');
    },
  },
  {
    name: 'a unit whose condition is not met is passed over',
    async run(bench) {
      const unit = await bench.unit(
        `[Unit]\nConditionPathExists=/run/slipway-no-such-file\n${sleeper}`,
      );
      await bench.host.systemd.start(unit);
      const status = await bench.status(unit);
      assert.deepEqual([status.activeState, status.invocationId], ['inactive', '']);
      const negated = await bench.unit(
        `[Unit]\nConditionPathExists=!/run/slipway-no-such-file\n${sleeper}`,
      );
      await bench.host.systemd.start(negated);
      assert.equal((await bench.status(negated)).activeState, 'active');
    },
  },
  {
    name: 'a service without a command has a bad setting',
    async run(bench) {
      const unit = await bench.unit('[Service]\nRestart=no\n');
      assert.equal((await bench.status(unit)).loadState, 'bad-setting');
      await refuses(bench.host.systemd.start(unit), /bad unit file setting/);
    },
  },
  {
    name: 'only a unit with ExecReload can be reloaded, and only while it runs',
    async run(bench) {
      const without = await bench.unit(sleeper);
      await bench.host.systemd.start(without);
      assert.equal((await bench.status(without)).canReload, false);
      await refuses(bench.host.systemd.reload(without), /not applicable/);
      const unit = await bench.unit(
        '[Service]\nExecStart=/bin/sleep infinity\nExecReload=/bin/true\n',
      );
      await refuses(bench.host.systemd.reload(unit), /not active/);
      await bench.host.systemd.start(unit);
      const before = await bench.status(unit);
      assert.equal(before.canReload, true);
      await bench.host.systemd.reload(unit);
      assert.equal((await bench.status(unit)).invocationId, before.invocationId);
    },
  },
  {
    name: 'what a unit requires or wants is started with it; a failed requirement fails it',
    async run(bench) {
      const [required, wanted] = [await bench.unit(sleeper), await bench.unit(sleeper)];
      const unit = await bench.unit(`[Unit]\nRequires=${required}\nWants=${wanted}\n${sleeper}`);
      await bench.host.systemd.start(unit);
      assert.equal((await bench.status(required)).activeState, 'active');
      assert.equal((await bench.status(wanted)).activeState, 'active');
      const broken = await bench.unit(oneshot('/bin/false'));
      const lost = await bench.unit(`[Unit]\nRequires=${broken}\nAfter=${broken}\n${sleeper}`);
      await refuses(bench.host.systemd.start(lost), /dependency job .* failed/);
      const content = `[Unit]\nWants=${broken} slipway-missing.service\nAfter=${broken}\n${sleeper}`;
      const survivor = await bench.unit(content);
      await bench.host.systemd.start(survivor);
      assert.equal((await bench.status(survivor)).activeState, 'active');
    },
  },
  {
    name: 'parts of a unit are restarted and stopped with it',
    async run(bench) {
      const whole = await bench.unit(sleeper);
      const part = await bench.unit(`[Unit]\nPartOf=${whole}\n${sleeper}`);
      await bench.host.systemd.start(whole);
      assert.equal((await bench.status(part)).activeState, 'inactive');
      await bench.host.systemd.start(part);
      const before = (await bench.status(part)).invocationId;
      await bench.host.systemd.restart(whole);
      const after = await bench.settled(part, 'active');
      assert.notEqual(after.invocationId, before);
      await bench.host.systemd.stop(whole);
      await bench.settled(part, 'inactive');
    },
  },
];
