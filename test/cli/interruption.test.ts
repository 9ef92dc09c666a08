import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = mkdtempSync(join(tmpdir(), 'slipway-interruption-'));
after(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'etc'));
writeFileSync(join(root, 'etc/hostname'), 'w1\n');

const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

/** A server that takes connections and never says a word. */
async function silentServer(): Promise<AsyncDisposable & { readonly port: number }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => void open.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const configuration = (port: number, skipped: string) => `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration: {name: w1, ignorePreflightErrors: [all], criSocket: "unix:///run/x.sock"}
discovery:
  bootstrapToken:
    token: abcdef.0123456789abcdef
    apiServerEndpoint: "127.0.0.1:${port}"
    unsafeSkipCAVerification: true
skipPhases: [${skipped}]
`;

suite('a wait for a server that says nothing', () => {
  // The first line is told while clocks are compared, the second while the cluster is looked for.
  const cases = [
    { signal: 'SIGINT', after: '[preflight] checking this machine', skipped: '' },
    { signal: 'SIGTERM', after: '[discovery] waiting up to 300 s', skipped: 'preflight' },
  ] as const;
  for (const { signal, after: awaited, skipped } of cases) {
    test(`ends by ${signal} at once, as what it is, and changes nothing: ${awaited}`, async () => {
      await using server = await silentServer();
      const config = join(root, 'join.yaml');
      writeFileSync(config, configuration(server.port, skipped));
      const words = ['--disable-warning=ExperimentalWarning', program, 'join'];
      const child = spawn(process.execPath, [...words, '--rootfs', root, '--config', config]);
      let stdout = '';
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += String(chunk);
      });
      child.stdout.on('data', (chunk) => {
        stdout += String(chunk);
        if (stdout.includes(awaited)) child.kill(signal);
      });
      const [code] = await once(child, 'close');
      assert.equal(code, 1, stderr);
      assert.match(stderr, new RegExp(`error: run slipway: stopped by ${signal}\n.*run the same`));
      assert.doesNotMatch(stderr, /fault of slipway|ERROR/);
    });
  }
});
