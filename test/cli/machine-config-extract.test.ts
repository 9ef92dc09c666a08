import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { compareBytes } from '@slipway/base';
import { NodeFixture } from '../../packages/daemon/src/testkit/node-fixture.ts';
import {
  configFile,
  example,
  machineConfig,
  newDirectory,
  renderedFile,
} from '../kit/machine-config.ts';

const sources = ['chrony', 'disable-chrony', 'ssh', 'sysctl', 'firewall', 'script'].map((name) =>
  example(`99-worker-${name}.yaml`),
);

const more = configFile('98-more', {
  config: {
    ignition: { version: '3.4.0' },
    storage: {
      files: [
        { path: '/etc/app/secret', mode: 0o600, contents: { source: 'data:;base64,AP8A' } },
        { path: '/etc/app/deep/er/empty' },
      ],
    },
    systemd: {
      units: [
        { name: 'crond.service', mask: true },
        { name: 'sshd.service', dropins: [{ name: '10-x.conf', contents: '[Unit]\n' }] },
      ],
    },
  },
});

/** What is where below a folder: mode and content of files, targets of links. */
function treeOf(root: string, path = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(root, path)).sort(compareBytes)) {
    const at = `${path}/${name}`;
    const stat = lstatSync(join(root, at));
    if (stat.isDirectory()) for (const [key, value] of treeOf(root, at)) found.set(key, value);
    else if (stat.isSymbolicLink()) found.set(at, `link ${readlinkSync(join(root, at))}`);
    else if (stat.isFile())
      found.set(
        at,
        `${(stat.mode & 0o7777).toString(8)} ${readFileSync(join(root, at)).toString('base64')}`,
      );
  }
  return found;
}

/** Links that enable units are systemd's; what the daemon remembers is its own. */
function isOfSystemdOrDaemon(path: string): boolean {
  return /\.(wants|requires)\//.test(path) || /^\/(var|run|proc|sys|tmp|boot)\//.test(path);
}

suite('extract', () => {
  test('is what a simulated host gets, modes included', async () => {
    const rendered = await renderedFile('worker', [...sources, more]);
    const directory = newDirectory();
    const { code, stderr } = await machineConfig(['extract', rendered, '--to', directory]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /enabled on a host: open-node-ports\.service/);

    await using node = await NodeFixture.create();
    node.answerDrains();
    await node.start();
    await node.roll('empty', { config: { ignition: { version: '3.4.0' } } });
    await node.untilDone('empty');
    const before = treeOf(node.host.rootPath);
    await node.roll('rendered', JSON.parse(readFileSync(rendered, 'utf8')).spec);
    await node.untilDone('rendered');
    const changed = [...treeOf(node.host.rootPath)].filter(
      ([path, content]) => before.get(path) !== content && !isOfSystemdOrDaemon(path),
    );
    const extracted = treeOf(directory);
    assert.deepEqual(new Map(changed), extracted);
    assert.ok(extracted.size >= 10);
    const ssh = lstatSync(join(directory, 'home/boot/.ssh')).mode & 0o7777;
    assert.equal(ssh, 0o700);
    rmSync(directory, { recursive: true });
  });

  test('a directory that is not empty is left alone', async () => {
    const directory = newDirectory();
    const [chrony = ''] = sources;
    assert.equal((await machineConfig(['extract', chrony, '--to', directory])).code, 0);
    const before = treeOf(directory);
    const { code, stderr } = await machineConfig(['extract', more, '--to', directory]);
    assert.equal(code, 3);
    assert.match(stderr, /it is not empty: it has etc/);
    assert.deepEqual(treeOf(directory), before);
    rmSync(directory, { recursive: true });
  });

  test('what does not validate writes nothing, not even the directory', async () => {
    const directory = join(newDirectory(), 'new');
    for (const path of ['/../../etc/x', '/etc/../../x', 'x']) {
      const ignition = { version: '3.4.0' };
      const bad = configFile('10-bad', { config: { ignition, storage: { files: [{ path }] } } });
      const { code } = await machineConfig(['extract', bad, '--to', directory]);
      assert.equal(code, 3);
    }
    assert.equal(lstatSync(directory, { throwIfNoEntry: false }), undefined);
  });

  test('a file is no directory', async () => {
    const { code, stderr } = await machineConfig(['extract', more, '--to', more]);
    assert.equal(code, 3);
    assert.match(stderr, /extract to .*98-more\.json/);
  });
});
