import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 10.20.0.11}
`;

suite('the program', () => {
  test('a reader that goes away ends it as SIGPIPE would, without a trace of the stack', async () => {
    const root = mkdtempSync(join(tmpdir(), 'slipway-main-'));
    mkdirSync(join(root, 'etc'));
    writeFileSync(join(root, 'etc/hostname'), 'cp1\n');
    writeFileSync(join(root, 'init.yaml'), configuration);
    const entryPoint = fileURLToPath(new URL('main.ts', import.meta.url));
    const command = [
      'init',
      'phase',
      'control-plane',
      'all',
      '--dry-run',
      '--config',
      '/init.yaml',
    ];
    const flags = ['--disable-warning=ExperimentalWarning', entryPoint, ...command];
    const child = spawn(process.execPath, [...flags, '--rootfs', root], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    rmSync(root, { recursive: true });
    assert.deepEqual({ code, stderr }, { code: 141, stderr: '' });
  });
});
