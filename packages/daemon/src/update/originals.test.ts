import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spec } from '../testkit/configs.ts';
import { NodeFixture } from '../testkit/node-fixture.ts';

const plain = { mode: 0o755, uid: 0, gid: 0 };
const empty = spec({});

/** A node that manages /etc/precious, which was there before. */
async function managingNode() {
  const node = await NodeFixture.create();
  await node.write('/etc/precious', 'original\n');
  await node.start();
  await node.roll('managed', spec({ files: [{ path: '/etc/precious', text: 'ours\n' }] }));
  await node.untilDone('managed');
  return node;
}

describe('an original', { concurrency: 4 }, () => {
  test('is not given up for a directory that took the place of the file', async () => {
    await using node = await managingNode();
    const { files } = node.host;
    await files.remove('/etc/precious');
    await files.makeDirectory('/etc/precious', plain);
    await node.untilDegraded(/\/etc\/precious/);
    await node.roll('base', empty);
    assert.match(
      await node.untilDegraded(/^write/),
      /^write \/etc\/precious: a directory is in its place$/,
    );
    await files.removeDirectory('/etc/precious');
    node.answerDrains();
    await node.write('/run/machine-config-daemon-force', '');
    await node.untilDone('base');
    assert.equal(await node.text('/etc/precious'), 'original\n');
  });

  test('cannot be lost to a file in the folder of the records', async () => {
    await using node = await managingNode();
    const path = '/var/lib/machine-config-daemon/originals.json';
    await node.roll('bad', spec({ files: [{ path, text: 'junk' }] }));
    assert.match(await node.untilDegraded(), /^write \/var\/lib.*: the daemon keeps its records/);
    await node.roll('base', empty);
    await node.untilDone('base');
    assert.equal(await node.text('/etc/precious'), 'original\n');
  });

  test('what was changed by hand is there again when the update over it fails', async () => {
    await using node = await managingNode();
    await node.write('/etc/precious', 'by hand\n');
    await node.untilDegraded(/\/etc\/precious/);
    const actions = [{ type: 'Restart', restart: { serviceName: 'missing.service' } }] as const;
    await node.setPolicy({ files: [{ path: '/etc/precious', actions }] });
    await node.roll('newer', spec({ files: [{ path: '/etc/precious', text: 'newer\n' }] }));
    await node.untilDegraded(/missing\.service/);
    assert.equal(await node.text('/etc/precious'), 'by hand\n');
  });
});
