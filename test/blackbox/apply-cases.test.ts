import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { MachineConfig } from '@slipway/api';
import type { HostPath } from '@slipway/host';
import { NodeFixture } from '../../packages/daemon/src/testkit/node-fixture.ts';

type Spec = NonNullable<MachineConfig['spec']>;
type Config = Record<string, unknown>;

/** One case: a host before, what is declared, and what must be there after. */
type Applied = {
  /** Where slipway does otherwise than Ignition at first boot, and why. */
  readonly differs?: string;
  readonly before?: (node: NodeFixture) => Promise<void>;
  readonly config: Config;
  readonly kernelArguments?: readonly string[];
  /** The node does not get there: its reason. */
  readonly degraded?: RegExp;
  readonly after: (node: NodeFixture) => Promise<void>;
};

const wants = '/etc/systemd/system/multi-user.target.wants';
const unitFolder = '/etc/systemd/system';
const presetFile = '/etc/systemd/system-preset/20-ignition.preset';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR k1';
const install = '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n';
const noPreset = 'units are enabled at once, not by a preset that the first boot reads';

async function absent(node: NodeFixture, ...paths: readonly HostPath[]): Promise<void> {
  for (const path of paths) assert.equal(await node.host.files.stat(path), undefined, path);
}

async function unitFileState(node: NodeFixture, unit: string): Promise<string> {
  return (await node.host.systemd.status(unit)).unitFileState;
}

const units = (...list: readonly object[]): Config => ({ systemd: { units: list } });
const files = (...list: readonly object[]): Config => ({ storage: { files: list } });
const fooBar = { path: '/foo/bar', contents: { source: 'data:,x' } };

const applied: Readonly<Record<string, Applied>> = {
  'apply.unit.instances': {
    differs: noPreset,
    config: units(
      { name: 'echo@.service', contents: install },
      { name: 'echo@bar.service', enabled: true },
      { name: 'echo@foo.service', enabled: true },
    ),
    async after(node) {
      for (const name of ['echo@bar.service', 'echo@foo.service']) {
        assert.match(await node.host.files.readLink(`${wants}/${name}`), /echo@\.service$/);
      }
      await absent(node, presetFile, `${wants}/echo@.service`);
      await node.roll('gone', { config: { ignition: { version: '3.4.0' } } });
      await node.untilDone('gone');
      await absent(node, `${wants}/echo@bar.service`, `${unitFolder}/echo@.service`);
    },
  },
  'apply.unit.enabled-null': {
    config: units({ name: 'crond.service' }),
    async after(node) {
      assert.equal(await unitFileState(node, 'crond.service'), 'disabled');
      await absent(node, presetFile, `${unitFolder}/crond.service`);
    },
  },
  'apply.unit.disable-not-enabled': {
    config: units({ name: 'enoent.service', enabled: false }),
    after: (node) => absent(node, presetFile, `${unitFolder}/enoent.service`),
  },
  'apply.unit.disable-enabled': {
    differs: noPreset,
    async before(node) {
      assert.equal(await unitFileState(node, 'chronyd.service'), 'enabled');
    },
    config: units({ name: 'chronyd.service', enabled: false }),
    async after(node) {
      assert.equal(await unitFileState(node, 'chronyd.service'), 'disabled');
      await absent(node, presetFile, `${wants}/chronyd.service`);
    },
  },
  'apply.unit.mask': {
    before: (node) => node.write(`${unitFolder}/foo.service`, install),
    config: units({ name: 'foo.service', mask: true }, { name: 'enoent.service', mask: true }),
    async after(node) {
      for (const name of ['foo.service', 'enoent.service'])
        assert.equal(await node.host.files.readLink(`${unitFolder}/${name}`), '/dev/null');
    },
  },
  'apply.unit.contents-empty': {
    config: units({ name: 'z.service', contents: '' }),
    after: (node) => absent(node, `${unitFolder}/z.service`),
  },
  'apply.unit.preset-append': {
    differs: noPreset,
    before: (node) => node.write(presetFile, 'enable x.service\n'),
    config: units({ name: 'a.service', contents: install, enabled: true }),
    async after(node) {
      assert.equal(await node.text(presetFile), 'enable x.service\n');
      assert.equal(await unitFileState(node, 'a.service'), 'enabled');
    },
  },
  'apply.keys.single-file': {
    before: (node) => node.write('/home/boot/.ssh/authorized_keys', 'of somebody else\n'),
    config: { passwd: { users: [{ name: 'boot', sshAuthorizedKeys: [key] }] } },
    async after(node) {
      assert.equal(await node.text('/home/boot/.ssh/authorized_keys'), `${key}\n`);
    },
  },
  'apply.file.defaults': {
    config: files(fooBar),
    async after(node) {
      const file = await node.host.files.stat('/foo/bar');
      assert.deepEqual([file?.mode, file?.uid, file?.gid], [0o644, 0, 0]);
      assert.equal((await node.host.files.stat('/foo'))?.mode, 0o755);
      assert.equal(await node.text('/foo/bar'), 'x');
    },
  },
  'apply.file.exists-no-overwrite': {
    differs: 'what was there is kept and comes back when the file leaves the configuration',
    before: (node) => node.write('/foo/bar', 'original', 0o600),
    config: files(fooBar),
    async after(node) {
      assert.equal(await node.text('/foo/bar'), 'x');
      await node.roll('gone', { config: { ignition: { version: '3.4.0' } } });
      await node.untilDone('gone');
      assert.equal(await node.text('/foo/bar'), 'original');
      assert.equal((await node.host.files.stat('/foo/bar'))?.mode, 0o600);
    },
  },
  'apply.file.overwrite-dir': {
    differs: 'a directory is never removed with what is in it',
    before: (node) => node.write('/foo/bar/inside', 'mine'),
    config: files({ ...fooBar, overwrite: true }),
    degraded: /\/foo\/bar/,
    async after(node) {
      assert.equal(await node.text('/foo/bar/inside'), 'mine');
    },
  },
  'apply.kargs.cmd': {
    differs: 'arguments are spec.kernelArguments, and refused without a boot loader that is known',
    config: files(fooBar),
    kernelArguments: ['a', 'b c'],
    degraded: /boot loader/,
    async after(node) {
      await absent(node, '/foo/bar');
      assert.equal(node.reboots, 0);
    },
  },
};

suite('what a configuration does to a host', { concurrency: 4 }, () => {
  const source = new URL('../../packages/ignition/testdata/cases.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(source, 'utf8')) as {
    cases: { id: string; op: string }[];
  };

  test('every case that applies something is here', () => {
    const wanted = cases.filter(({ op }) => op === 'apply').map(({ id }) => id);
    assert.deepEqual(new Set(Object.keys(applied)), new Set(wanted));
  });

  for (const [id, { differs, before, config, kernelArguments, degraded, after }] of Object.entries(
    applied,
  ))
    test(`${id}${differs === undefined ? '' : ` (ours: ${differs})`}`, {
      timeout: 20_000,
    }, async () => {
      await using node = await NodeFixture.create();
      node.answerDrains();
      await node.start();
      await node.roll('empty', { config: { ignition: { version: '3.4.0' } } });
      await node.untilDone('empty');
      await before?.(node);
      const spec = {
        config: { ignition: { version: '3.4.0' }, ...config },
        ...(kernelArguments === undefined ? {} : { kernelArguments }),
      } as Spec;
      await node.roll('case', spec);
      if (degraded === undefined) await node.untilDone('case');
      else assert.match(await node.untilDegraded(), degraded);
      await after(node);
    });
});
