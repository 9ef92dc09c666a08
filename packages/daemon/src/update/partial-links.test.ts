import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { policyInForce } from '@slipway/machineconfig';
import { spec } from '../testkit/configs.ts';
import { describeTree } from '../testkit/tree.ts';
import {
  type BenchHost,
  createBenchHost,
  managedFolders,
  runUpdate,
} from '../testkit/update-bench.ts';

const system = '/etc/systemd/system';
const wanted = `${system}/network-online.target.wants/a.service`;
const alias = `${system}/other.service`;

const contents = (description: string) =>
  `[Unit]\nDescription=${description}\n[Service]\nType=oneshot\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target network-online.target\nAlias=other.service\n`;
const enabled = (description: string, path?: string) =>
  spec({
    files: path === undefined ? [] : [{ path, text: 'x' }],
    units: [{ name: 'a.service', enabled: true, contents: contents(description) }],
  });

const policy = policyInForce({
  spec: {
    defaultNodeDisruptionPolicySpecAction: {
      units: [{ type: 'DaemonReload' }],
      files: [{ type: 'Restart', restart: { serviceName: 'missing.service' } }],
    },
  },
});

async function partial(): Promise<BenchHost> {
  const bench = await createBenchHost();
  assert.equal((await runUpdate(bench.host, 'old', enabled('old'), { policy })).kind, 'completed');
  await bench.host.files.remove(wanted);
  await bench.host.files.symlink(alias, '/dev/null');
  return bench;
}

async function assertRepaired({ host }: BenchHost): Promise<void> {
  assert.equal(await host.files.readLink(wanted), `${system}/a.service`);
  assert.equal(await host.files.readLink(alias), `${system}/a.service`);
}

describe('links of an enabled unit that are missing or lead elsewhere', { concurrency: 4 }, () => {
  test('are made again by an update', async () => {
    await using bench = await partial();
    const result = await runUpdate(bench.host, 'new', enabled('new'), { policy });
    assert.equal(result.kind, 'completed', JSON.stringify(result));
    await assertRepaired(bench);
  });

  test('are made again when everything is reapplied', async () => {
    await using bench = await partial();
    const result = await runUpdate(bench.host, 'old', enabled('old'), { policy, forced: true });
    assert.equal(result.kind, 'rebooting', JSON.stringify(result));
    await assertRepaired(bench);
  });

  test('are as they were when the update fails', async () => {
    await using bench = await partial();
    const before = await describeTree(bench.host, managedFolders);
    const result = await runUpdate(bench.host, 'new', enabled('new', '/etc/x.conf'), { policy });
    assert.equal(result.kind, 'undone', JSON.stringify(result));
    assert.deepEqual(await describeTree(bench.host, managedFolders), before);
  });
});
