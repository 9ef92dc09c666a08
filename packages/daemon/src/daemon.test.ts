import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger } from '@slipway/base';
import { spec } from './testkit/configs.ts';
import { NodeFixture } from './testkit/node-fixture.ts';

const logger =
  process.env['DAEMON_LOG'] === undefined
    ? {}
    : { logger: createLogger((line) => process.stderr.write(`${line}\n`)) };

const restartChrony = {
  files: [
    {
      path: '/etc/chrony.conf',
      actions: [
        { type: 'DaemonReload' },
        { type: 'Restart', restart: { serviceName: 'chronyd.service' } },
      ],
    },
  ],
} as const;

const chrony = spec({ files: [{ path: '/etc/chrony.conf', text: 'server new\n' }] });

describe('an update', () => {
  test('writes the file, restarts the service and is done; deleting it brings the original back', async () => {
    await using node = await NodeFixture.create({ policy: restartChrony, ...logger });
    const original = await node.text('/etc/chrony.conf');
    const { invocationId } = await node.host.systemd.status('chronyd.service');
    await node.start();
    await node.roll('rendered-worker-1', spec({}));
    await node.untilDone('rendered-worker-1');
    await node.roll('rendered-worker-2', chrony);
    await node.untilDone('rendered-worker-2');
    assert.equal(await node.text('/etc/chrony.conf'), 'server new\n');
    const after = await node.host.systemd.status('chronyd.service');
    assert.equal(after.activeState, 'active');
    assert.notEqual(after.invocationId, invocationId);
    assert.equal(node.reboots, 0);
    assert.equal(node.contract.drainRequest, undefined);
    await node.roll('rendered-worker-1', spec({}));
    await node.untilDone('rendered-worker-1');
    assert.equal(await node.text('/etc/chrony.conf'), original);
  });
});
