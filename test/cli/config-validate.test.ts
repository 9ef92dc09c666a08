import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { slipwayInProcess } from '../kit/slipway-in-process.ts';

test('config validate takes the flags of kubeadm', async () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-validate-'));
  const versions = { old: 'v1beta3', stored: 'v1beta4', next: 'v1' };
  for (const [name, version] of Object.entries(versions)) {
    const document = `apiVersion: kubeadm.k8s.io/${version}\nkind: ClusterConfiguration\n`;
    writeFileSync(join(root, `${name}.yaml`), `${document}kubernetesVersion: v1.37.2\n`);
  }
  const flags = [
    '--allow-deprecated-api',
    '--allow-experimental-api',
    '--kubeconfig',
    '/none',
    '--rootfs',
    root,
  ];
  for (const name of Object.keys(versions)) {
    const validate = ['config', 'validate', '--config', `/${name}.yaml`, ...flags];
    const { code, stderr } = await slipwayInProcess(validate);
    assert.equal(code, 0, stderr);
  }
  rmSync(root, { recursive: true });
});
