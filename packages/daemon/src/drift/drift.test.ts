import assert from 'node:assert/strict';
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { DriftFinding } from '@slipway/api';
import { spec } from '../testkit/configs.ts';
import { NodeFixture } from '../testkit/node-fixture.ts';

const unit = (name: string) =>
  `[Unit]\nDescription=${name}\n\n[Service]\nType=oneshot\nExecStart=/bin/true\n\n[Install]\nWantedBy=multi-user.target\n`;

const linked = unit('links').replace(
  'multi-user.target\n',
  'multi-user.target network-online.target\nAlias=dralias.service\n',
);

const keyA = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK5Ct2TUs4LowzBbPNgyJn/wmReowa2yh9a5jIhXngwR one';

const config = spec({
  files: [
    { path: '/etc/app/app.conf', text: 'level = 3\n' },
    { path: '/etc/deep/er/x.conf', text: 'x\n' },
    { path: '/usr/local/bin/run.sh', text: '#!/bin/sh\n', mode: 0o755 },
    { path: '/etc/owned.conf', text: 'owned\n', user: 'chrony' },
  ],
  units: [
    {
      name: 'ports.service',
      enabled: true,
      contents: unit('ports'),
      dropins: [
        { name: '10-a.conf', contents: '[Service]\nNice=1\n' },
        { name: '20-none.conf', contents: '' },
      ],
    },
    { name: 'links.service', enabled: true, contents: linked },
    { name: 'containerd.service', mask: true },
    { name: 'hidden.service', mask: true, enabled: true, contents: unit('hidden') },
    { name: 'crond.service', enabled: false },
    { name: 'chronyd.service', enabled: true },
    { name: 'getty@tty1.service', mask: false },
  ],
  keys: [keyA],
});

const system = '/etc/systemd/system';
const wants = (target: string) => `${system}/${target}.target.wants/links.service`;
const alias = `${system}/dralias.service`;
const keys = '/home/boot/.ssh/authorized_keys';

type Mutation = {
  readonly name: string;
  readonly want: Pick<DriftFinding, 'path' | 'kind'>;
  readonly mutate: (node: NodeFixture, at: (path: string) => string) => Promise<unknown>;
  readonly restore: (node: NodeFixture, at: (path: string) => string) => Promise<unknown>;
};

const app = '/etc/app/app.conf';
const rewrite =
  (path: string, text: string, mode = 0o644) =>
  (node: NodeFixture) =>
    node.write(path, text, mode);
const restoreApp = rewrite(app, 'level = 3\n');
const own = (path: string, mode: number, uid: number, gid: number) => (node: NodeFixture) =>
  node.host.files.setAttributes(path, { mode, uid, gid });

const mutations: readonly Mutation[] = [
  {
    name: 'edit',
    want: { path: app, kind: 'content' },
    mutate: (_, at) => writeFile(at(app), 'level = 9\n'),
    restore: (_, at) => writeFile(at(app), 'level = 3\n'),
  },
  {
    name: 'append',
    want: { path: app, kind: 'content' },
    mutate: (_, at) => appendFile(at(app), '# hello\n'),
    restore: restoreApp,
  },
  {
    name: 'truncate',
    want: { path: app, kind: 'content' },
    mutate: (_, at) => truncate(at(app)),
    restore: restoreApp,
  },
  {
    name: 'edit of the same size with the old times',
    want: { path: app, kind: 'content' },
    mutate: async (_, at) => {
      const { atime, mtime } = await stat(at(app));
      await writeFile(at(app), 'level = 4\n');
      await utimes(at(app), atime, mtime);
    },
    restore: restoreApp,
  },
  {
    name: 'replacement by rename',
    want: { path: app, kind: 'content' },
    mutate: rewrite(app, 'level = 5\n'),
    restore: restoreApp,
  },
  {
    name: 'chmod',
    want: { path: app, kind: 'mode' },
    mutate: (_, at) => chmod(at(app), 0o600),
    restore: (_, at) => chmod(at(app), 0o644),
  },
  {
    name: 'chmod +x',
    want: { path: app, kind: 'mode' },
    mutate: (_, at) => chmod(at(app), 0o755),
    restore: (_, at) => chmod(at(app), 0o644),
  },
  {
    name: 'set-user-id bit',
    want: { path: '/usr/local/bin/run.sh', kind: 'mode' },
    mutate: (_, at) => chmod(at('/usr/local/bin/run.sh'), 0o4755),
    restore: (_, at) => chmod(at('/usr/local/bin/run.sh'), 0o755),
  },
  {
    name: 'chown',
    want: { path: '/etc/owned.conf', kind: 'owner' },
    mutate: own('/etc/owned.conf', 0o644, 74, 0),
    restore: own('/etc/owned.conf', 0o644, 992, 0),
  },
  {
    name: 'chgrp',
    want: { path: app, kind: 'owner' },
    mutate: own(app, 0o644, 0, 991),
    restore: own(app, 0o644, 0, 0),
  },
  {
    name: 'delete',
    want: { path: app, kind: 'missing' },
    mutate: (_, at) => unlink(at(app)),
    restore: restoreApp,
  },
  {
    name: 'replace by a symlink to the same content',
    want: { path: app, kind: 'type' },
    mutate: async (_, at) => {
      await rename(at(app), at('/etc/app/real.conf'));
      await symlink('real.conf', at(app));
    },
    restore: (_, at) => rename(at('/etc/app/real.conf'), at(app)),
  },
  {
    name: 'replace by a directory',
    want: { path: app, kind: 'type' },
    mutate: async (_, at) => {
      await unlink(at(app));
      await mkdir(at(app));
    },
    restore: async (node, at) => {
      await rm(at(app), { recursive: true });
      await restoreApp(node);
    },
  },
  {
    name: 'remove the parent directory',
    want: { path: '/etc/deep/er/x.conf', kind: 'missing' },
    mutate: (_, at) => rm(at('/etc/deep'), { recursive: true }),
    restore: rewrite('/etc/deep/er/x.conf', 'x\n'),
  },
  {
    name: 'edit after the parent directory was made again',
    want: { path: '/etc/deep/er/x.conf', kind: 'content' },
    mutate: (_, at) => writeFile(at('/etc/deep/er/x.conf'), 'y\n'),
    restore: (_, at) => writeFile(at('/etc/deep/er/x.conf'), 'x\n'),
  },
  {
    name: 'rename the parent directory away',
    want: { path: '/etc/deep/er/x.conf', kind: 'missing' },
    mutate: (_, at) => rename(at('/etc/deep'), at('/etc/shallow')),
    restore: (_, at) => rename(at('/etc/shallow'), at('/etc/deep')),
  },
  {
    name: 'edit a unit',
    want: { path: `${system}/ports.service`, kind: 'content' },
    mutate: (_, at) => appendFile(at(`${system}/ports.service`), '# x\n'),
    restore: rewrite(`${system}/ports.service`, unit('ports')),
  },
  {
    name: 'delete a unit',
    want: { path: `${system}/ports.service`, kind: 'missing' },
    mutate: (_, at) => unlink(at(`${system}/ports.service`)),
    restore: rewrite(`${system}/ports.service`, unit('ports')),
  },
  {
    name: 'mask a unit',
    want: { path: `${system}/ports.service`, kind: 'mask' },
    mutate: async (_, at) => {
      await unlink(at(`${system}/ports.service`));
      await symlink('/dev/null', at(`${system}/ports.service`));
    },
    restore: rewrite(`${system}/ports.service`, unit('ports')),
  },
  {
    name: 'edit a drop-in',
    want: { path: `${system}/ports.service.d/10-a.conf`, kind: 'content' },
    mutate: (_, at) => appendFile(at(`${system}/ports.service.d/10-a.conf`), 'Nice=5\n'),
    restore: rewrite(`${system}/ports.service.d/10-a.conf`, '[Service]\nNice=1\n'),
  },
  {
    name: 'delete a drop-in',
    want: { path: `${system}/ports.service.d/10-a.conf`, kind: 'missing' },
    mutate: (_, at) => unlink(at(`${system}/ports.service.d/10-a.conf`)),
    restore: rewrite(`${system}/ports.service.d/10-a.conf`, '[Service]\nNice=1\n'),
  },
  {
    name: 'a drop-in that is declared empty appears',
    want: { path: `${system}/ports.service.d/20-none.conf`, kind: 'unexpected' },
    mutate: rewrite(`${system}/ports.service.d/20-none.conf`, '[Service]\nNice=9\n'),
    restore: (_, at) => unlink(at(`${system}/ports.service.d/20-none.conf`)),
  },
  {
    name: 'disable a unit',
    want: { path: 'ports.service', kind: 'enablement' },
    mutate: (node) => node.host.systemd.disable('ports.service'),
    restore: (node) => node.host.systemd.enable('ports.service'),
  },
  {
    name: 'remove an enablement link',
    want: { path: 'ports.service', kind: 'enablement' },
    mutate: (_, at) => unlink(at(`${system}/multi-user.target.wants/ports.service`)),
    restore: (_, at) =>
      symlink(`${system}/ports.service`, at(`${system}/multi-user.target.wants/ports.service`)),
  },
  {
    name: 'remove one of several enablement links',
    want: { path: wants('network-online'), kind: 'enablement' },
    mutate: (_, at) => unlink(at(wants('network-online'))),
    restore: (_, at) => symlink('../links.service', at(wants('network-online'))),
  },
  {
    name: 'remove an alias',
    want: { path: alias, kind: 'enablement' },
    mutate: (_, at) => unlink(at(alias)),
    restore: (node) => node.host.systemd.enable('links.service'),
  },
  {
    name: 'point an enablement link to nothing',
    want: { path: wants('multi-user'), kind: 'enablement' },
    mutate: (node) => node.host.files.symlink(wants('multi-user'), '/dev/null'),
    restore: (node) => node.host.files.symlink(wants('multi-user'), `${system}/links.service`),
  },
  {
    name: 'point an alias to another unit',
    want: { path: alias, kind: 'enablement' },
    mutate: (node) => node.host.files.symlink(alias, `${system}/ports.service`),
    restore: (node) => node.host.files.symlink(alias, `${system}/links.service`),
  },
  {
    name: 'disable a unit of the vendor',
    want: { path: 'chronyd.service', kind: 'enablement' },
    mutate: (node) => node.host.systemd.disable('chronyd.service'),
    restore: (node) => node.host.systemd.enable('chronyd.service'),
  },
  {
    name: 'enable a unit that is declared disabled',
    want: { path: 'crond.service', kind: 'enablement' },
    mutate: (node) => node.host.systemd.enable('crond.service'),
    restore: (node) => node.host.systemd.disable('crond.service'),
  },
  {
    name: 'mask a unit of the vendor',
    want: { path: 'chronyd.service', kind: 'mask' },
    mutate: (node) => node.host.systemd.mask('chronyd.service'),
    restore: (node) => node.host.systemd.unmask('chronyd.service'),
  },
  {
    name: 'unmask',
    want: { path: `${system}/containerd.service`, kind: 'mask' },
    mutate: (node) => node.host.systemd.unmask('containerd.service'),
    restore: (node) => node.host.systemd.mask('containerd.service'),
  },
  {
    name: 'point a mask elsewhere',
    want: { path: `${system}/containerd.service`, kind: 'mask' },
    mutate: async (_, at) => {
      await unlink(at(`${system}/containerd.service`));
      await symlink('/usr/lib/systemd/system/crond.service', at(`${system}/containerd.service`));
    },
    restore: async (_, at) => {
      await unlink(at(`${system}/containerd.service`));
      await symlink('/dev/null', at(`${system}/containerd.service`));
    },
  },
  {
    name: 'a file in place of a mask',
    want: { path: `${system}/hidden.service`, kind: 'mask' },
    mutate: rewrite(`${system}/hidden.service`, unit('hidden')),
    restore: async (_, at) => {
      await unlink(at(`${system}/hidden.service`));
      await symlink('/dev/null', at(`${system}/hidden.service`));
    },
  },
  {
    name: 'mask what is declared not masked',
    want: { path: `${system}/getty@tty1.service`, kind: 'mask' },
    mutate: (_, at) => symlink('/dev/null', at(`${system}/getty@tty1.service`)),
    restore: (_, at) => unlink(at(`${system}/getty@tty1.service`)),
  },
  {
    name: 'add an SSH key',
    want: { path: keys, kind: 'content' },
    mutate: (_, at) => appendFile(at(keys), 'ssh-ed25519 AAAA intruder\n'),
    restore: async (_, at) => writeFile(at(keys), `${keyA}\n`),
  },
  {
    name: 'open the SSH keys',
    want: { path: keys, kind: 'mode' },
    mutate: (_, at) => chmod(at(keys), 0o644),
    restore: (_, at) => chmod(at(keys), 0o600),
  },
  {
    name: 'open the SSH directory',
    want: { path: '/home/boot/.ssh', kind: 'mode' },
    mutate: (_, at) => chmod(at('/home/boot/.ssh'), 0o777),
    restore: (_, at) => chmod(at('/home/boot/.ssh'), 0o700),
  },
  {
    name: 'give the SSH directory away',
    want: { path: '/home/boot/.ssh', kind: 'owner' },
    mutate: own('/home/boot/.ssh', 0o700, 0, 0),
    restore: own('/home/boot/.ssh', 0o700, 1000, 1000),
  },
  {
    name: 'remove the SSH directory',
    want: { path: keys, kind: 'missing' },
    mutate: (_, at) => rename(at('/home/boot/.ssh'), at('/home/boot/ssh')),
    restore: (_, at) => rename(at('/home/boot/ssh'), at('/home/boot/.ssh')),
  },
];

describe('drift', () => {
  let node: NodeFixture;

  before(async () => {
    node = await NodeFixture.create();
    const defaults = { files: [{ type: 'None' }], units: [{ type: 'DaemonReload' }] } as const;
    await node.setPolicy({}, defaults);
    await node.start();
    await node.roll('rendered-1', config);
    await node.untilDone('rendered-1');
  });

  after(() => node[Symbol.asyncDispose]());

  for (const { name, want, mutate, restore } of mutations) {
    test(`${name} is found, left as it is, and cleared by restoring`, async () => {
      const at = (path: string) => join(node.host.rootPath, path);
      await mutate(node, at);
      const reason = await node.untilDegraded();
      await node.client.until(() => node.drift.length > 0);
      assert.match(reason, /^unexpected on-disk state: /);
      const found = node.drift.some(({ path, kind }) => path === want.path && kind === want.kind);
      assert.ok(found, `${JSON.stringify(want)} in ${JSON.stringify(node.drift)}`);
      assert.ok(reason.includes(`${want.path}: `), reason);
      await restore(node, at);
      await node.untilDone('rendered-1');
      await node.client.until(() => node.drift.length === 0);
      assert.equal(node.reboots, 0);
    });
  }

  test('every finding is listed at once, and the file stays as found', async () => {
    const at = (path: string) => join(node.host.rootPath, path);
    await writeFile(at(app), 'level = 9\n');
    await chmod(at('/etc/owned.conf'), 0o600);
    const reason = await node.untilDegraded(/app\.conf.*owned\.conf/);
    assert.match(
      reason,
      /\/etc\/app\/app\.conf: content differs \(expected sha256:[0-9a-f]{64}, found sha256:[0-9a-f]{64}\)/,
    );
    assert.match(reason, /\/etc\/owned\.conf: mode differs \(expected 0644, found 0600\)/);
    assert.equal(await readFile(at(app), 'utf8'), 'level = 9\n');
    await writeFile(at(app), 'level = 3\n');
    await chmod(at('/etc/owned.conf'), 0o644);
    await node.untilDone('rendered-1');
  });

  test('a write of the same bytes and a neighbour are no drift', async () => {
    const at = (path: string) => join(node.host.rootPath, path);
    const before = node.client.requests.length;
    await node.write(app, 'level = 3\n');
    await writeFile(at('/etc/app/neighbour.conf'), 'x');
    const byHand = `${system}/ports.service.wants`;
    await node.host.files.makeDirectory(byHand, { mode: 0o755, uid: 0, gid: 0 });
    await node.host.files.symlink(`${byHand}/links.service`, '../links.service');
    await writeFile(at('/etc/owned.conf'), 'changed');
    await node.untilDegraded();
    assert.deepEqual(
      node.drift.map(({ path }) => path),
      ['/etc/owned.conf'],
    );
    assert.ok(node.client.requests.length - before <= 3);
    await writeFile(at('/etc/owned.conf'), 'owned\n');
    await node.untilDone('rendered-1');
  });
});
