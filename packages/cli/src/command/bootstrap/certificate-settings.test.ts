import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, suite, test } from 'node:test';
import { silentLogger, systemClock } from '@slipway/base';
import { createRootFolderFiles, describedMachine } from '@slipway/host';
import { createOutput } from '../../output.ts';
import type { CommandContext } from '../program.ts';
import { clusterSettings } from './certificate-settings.ts';

const root = mkdtempSync(join(tmpdir(), 'slipway-settings-'));
after(() => rmSync(root, { recursive: true }));

const context: CommandContext = {
  output: createOutput(new PassThrough(), new PassThrough()),
  environment: {
    variables: {},
    workingDirectory: root,
    homeDirectory: root,
    nodeBinary: process.execPath,
    entryPoint: '',
    userId: process.getuid?.() ?? 0,
    restartWith: () => undefined,
    interrupted: new AbortController().signal,
  },
};

suite('clusterSettings', () => {
  test('are read on a machine that has no network', async () => {
    const config = join(root, 'cluster.yaml');
    writeFileSync(
      config,
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\ncertificatesDir: /srv/pki\n',
    );
    const files = createRootFolderFiles({ root, userId: process.geteuid?.() ?? 0 });
    assert.ok(files !== undefined);
    const machine = describedMachine({ addresses: [], defaultRoutes: {} });
    const ground = { files, machine, clock: systemClock, logger: silentLogger, variables: {} };
    const { certificatesDir } = await clusterSettings({ config, rootfs: root }, ground, context);
    assert.equal(certificatesDir, '/srv/pki');
  });
});
