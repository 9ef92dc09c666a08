import assert from 'node:assert/strict';
import { type ContractCase, etc, readable, refuses, sleeper, vendor } from './contract-case.ts';

/** Enabling, disabling, masking and presets. */
export const linkCases: readonly ContractCase[] = [
  {
    name: 'enable and disable change a link and start nothing',
    async run(bench) {
      const unit = await bench.unit(sleeper);
      assert.equal((await bench.status(unit)).unitFileState, 'disabled');
      await bench.host.systemd.enable(unit);
      await bench.host.systemd.enable(unit);
      const enabled = await bench.status(unit);
      assert.deepEqual([enabled.unitFileState, enabled.activeState], ['enabled', 'inactive']);
      const link = `${etc}/multi-user.target.wants/${unit}`;
      assert.equal(await bench.host.files.readLink(link), `${etc}/${unit}`);
      await bench.host.systemd.start(unit);
      await bench.host.systemd.disable(unit);
      await bench.host.systemd.disable(unit);
      const disabled = await bench.status(unit);
      assert.deepEqual([disabled.unitFileState, disabled.activeState], ['disabled', 'active']);
      assert.equal(await bench.host.files.stat(link), undefined);
    },
  },
  {
    name: 'a link that is removed by hand is a disabled unit at once',
    async run(bench) {
      const unit = await bench.unit(sleeper);
      await bench.host.systemd.enable(unit);
      await bench.host.files.remove(`${etc}/multi-user.target.wants/${unit}`);
      assert.equal((await bench.status(unit)).unitFileState, 'disabled');
    },
  },
  {
    name: 'RequiredBy, Alias and Also are obeyed and undone',
    async run(bench) {
      const { files, systemd } = bench.host;
      const [alias, also] = [bench.name(), await bench.unit(sleeper)];
      const install = `RequiredBy=slipway.target\nAlias=${alias}\nAlso=${also}\n`;
      const unit = await bench.unit(`[Service]\nExecStart=/bin/sleep 9\n[Install]\n${install}`);
      await systemd.enable(unit);
      assert.equal(await files.readLink(`${etc}/${alias}`), `${etc}/${unit}`);
      const required = `${etc}/slipway.target.requires/${unit}`;
      assert.equal(await files.readLink(required), `${etc}/${unit}`);
      assert.equal((await bench.status(also)).unitFileState, 'enabled');
      assert.equal((await bench.status(alias)).unitFileState, 'alias');
      await systemd.disable(unit);
      assert.equal(await files.stat(`${etc}/${alias}`), undefined);
      assert.equal(await files.stat(`${etc}/slipway.target.requires`), undefined);
      assert.equal((await bench.status(also)).unitFileState, 'disabled');
    },
  },
  {
    name: 'a unit without install rules is static, and enabling it changes nothing',
    async run(bench) {
      const unit = await bench.unit('[Service]\nExecStart=/bin/sleep 9\n');
      assert.equal((await bench.status(unit)).unitFileState, 'static');
      await bench.host.systemd.enable(unit);
      assert.equal((await bench.status(unit)).unitFileState, 'static');
    },
  },
  {
    name: 'a unit that does not exist can be neither enabled nor disabled nor preset',
    async run(bench) {
      const unit = bench.name();
      await refuses(bench.host.systemd.enable(unit), /does not exist/);
      await refuses(bench.host.systemd.disable(unit), /does not exist/);
      await refuses(bench.host.systemd.preset(unit), /does not exist/);
    },
  },
  {
    name: 'a masked unit cannot be started or enabled, runs on, and comes back',
    async run(bench) {
      const { systemd } = bench.host;
      const unit = await bench.unit(sleeper, vendor);
      await systemd.enable(unit);
      await systemd.start(unit);
      await systemd.mask(unit);
      await systemd.mask(unit);
      assert.equal(await bench.host.files.readLink(`${etc}/${unit}`), '/dev/null');
      const masked = await bench.status(unit);
      assert.deepEqual(
        [masked.loadState, masked.unitFileState, masked.activeState],
        ['masked', 'masked', 'active'],
      );
      await refuses(systemd.restart(unit), /masked/);
      await refuses(systemd.enable(unit), /masked/);
      await systemd.disable(unit);
      await systemd.stop(unit);
      await systemd.unmask(unit);
      const back = await bench.status(unit);
      assert.deepEqual([back.loadState, back.unitFileState], ['loaded', 'enabled']);
      await systemd.start(unit);
    },
  },
  {
    name: 'a mask that is made by hand counts at once, and for starts after a daemon-reload',
    async run(bench) {
      const unit = await bench.unit(sleeper, vendor);
      await bench.host.systemd.start(unit);
      await bench.host.files.symlink(`${etc}/${unit}`, '/dev/null');
      const before = await bench.status(unit);
      assert.deepEqual([before.loadState, before.unitFileState], ['loaded', 'masked']);
      await bench.host.systemd.restart(unit);
      await bench.host.systemd.daemonReload();
      assert.equal((await bench.status(unit)).loadState, 'masked');
      await refuses(bench.host.systemd.restart(unit), /masked/);
    },
  },
  {
    name: 'a unit whose file is the administrator’s own cannot be masked',
    async run(bench) {
      const unit = await bench.unit(sleeper);
      await refuses(bench.host.systemd.mask(unit), /already exists/);
      await bench.host.systemd.unmask(unit);
      assert.equal((await bench.host.files.stat(`${etc}/${unit}`))?.type, 'file');
    },
  },
  {
    name: 'a unit can be masked before it exists',
    async run(bench) {
      const unit = bench.name();
      await bench.host.systemd.mask(unit);
      assert.equal((await bench.status(unit)).unitFileState, 'masked');
      await bench.host.systemd.unmask(unit);
      assert.equal((await bench.status(unit)).loadState, 'not-found');
    },
  },
  {
    name: 'preset enables and disables as the first matching rule says',
    async run(bench) {
      const { systemd } = bench.host;
      const [on, off] = [await bench.unit(sleeper), await bench.unit(sleeper)];
      const rules = `# ours\nenable ${on}\ndisable ${off.replace('.service', '.*')}\nenable ${off}\n`;
      await bench.file('/etc/systemd/system-preset/00-slipway.preset', rules);
      await systemd.enable(off);
      await systemd.preset(on);
      await systemd.preset(off);
      assert.equal((await bench.status(on)).unitFileState, 'enabled');
      assert.equal((await bench.status(off)).unitFileState, 'disabled');
      await bench.host.files.write(
        '/etc/systemd/system-preset/00-slipway.preset',
        new TextEncoder().encode(`ignore ${on}\n`),
        readable,
      );
      await systemd.preset(on);
      assert.equal((await bench.status(on)).unitFileState, 'enabled');
    },
  },
  {
    name: 'links of an [Install] section that changed stay until the unit is disabled',
    async run(bench) {
      const { files, systemd } = bench.host;
      const unit = await bench.unit(sleeper);
      await bench.file('/etc/systemd/system-preset/00-slipway.preset', `enable ${unit}\n`);
      await systemd.enable(unit);
      await bench.unit(sleeper.replace('multi-user.target', 'slipway.target'), etc, unit);
      await systemd.preset(unit);
      const links = ['multi-user', 'slipway'].map((name) => `${etc}/${name}.target.wants/${unit}`);
      for (const link of links) assert.equal((await files.stat(link))?.type, 'symlink');
      await systemd.disable(unit);
      for (const link of links) assert.equal(await files.stat(link), undefined);
    },
  },
];
