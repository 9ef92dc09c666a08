import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { silentLogger, VirtualClock } from '@slipway/base';
import { createRootFolderFiles, type RunProgram } from '@slipway/host';
import type { Ground } from '../ground.ts';
import { recordingReporter } from '../testing/recording-reporter.ts';
import { askHealth } from './ask-health.ts';
import { diagnoseComponent } from './diagnose.ts';
import { healthAddress, healthCheck } from './health-checks.ts';
import { lastLogLines, tellingJournalLines } from './log-lines.ts';
import { waitHealthy } from './wait-healthy.ts';

function manifest(...command: string[]): unknown {
  return { spec: { containers: [{ command: ['sidecar'] }, { command }] } };
}

/** One second at a time, so that everything that is due can go on. */
async function passSeconds(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await clock.advance(1000);
}

suite('healthCheck', () => {
  const cases = [
    {
      name: 'what the API server advertises and where it listens',
      given: [
        'kube-apiserver',
        manifest('kube-apiserver', '--advertise-address=10.0.0.7', '--secure-port=7443'),
      ] as const,
      want: 'https://10.0.0.7:7443/livez',
    },
    {
      name: 'an API server without flags is asked at the address of the node',
      given: ['kube-apiserver', manifest('kube-apiserver')] as const,
      want: 'https://[fd00::1]:6443/livez',
    },
    {
      name: 'the last of a repeated flag counts',
      given: [
        'kube-scheduler',
        manifest('kube-scheduler', '--bind-address=127.0.0.1', '--bind-address=10.0.0.9'),
      ] as const,
      want: 'https://10.0.0.9:10259/livez',
    },
    {
      name: 'a controller manager on its defaults',
      given: ['kube-controller-manager', manifest('kube-controller-manager')] as const,
      want: 'https://127.0.0.1:10257/healthz',
    },
    {
      name: 'a manifest that is none',
      given: ['kube-scheduler', 'nonsense'] as const,
      want: 'https://127.0.0.1:10259/livez',
    },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.equal(healthAddress(healthCheck(given[0], given[1], 'fd00::1')), want));
});

suite('waitHealthy', () => {
  const code = 'bootstrap.wait.control-plane';

  test('tells each new observation, and what became healthy', async () => {
    const clock = new VirtualClock();
    const { reporter, lines } = recordingReporter();
    const answers = ['refused', 'refused', '500', 'ok'];
    const one = {
      name: 'etcd',
      address: 'here',
      ask: async () => {
        const observed = answers.shift() ?? 'ok';
        return { healthy: observed === 'ok', observed };
      },
      diagnose: () => assert.fail('it became healthy'),
    };
    const waiting = waitHealthy([one], {
      phase: 'check',
      code,
      timeoutMs: 60_000,
      clock,
      reporter,
    });
    await passSeconds(clock, 30);
    await waiting;
    assert.deepEqual(lines.slice(0, -1), [
      '[check] waiting up to 60 s for etcd',
      '[check] etcd: refused',
      '[check] etcd: 500',
    ]);
    assert.match(lines.at(-1) ?? '', /^\[check\] etcd is healthy after [\d.]+ s \(here\)$/);
  });

  test('when the time is over, the diagnosis and the last observation are told', async () => {
    const clock = new VirtualClock();
    const { reporter, lines } = recordingReporter();
    const one = {
      name: 'etcd',
      address: 'here',
      ask: async () => ({ healthy: false, observed: 'here answered 503' }),
      diagnose: async () => ['last lines of the log:', '  panic: no space left'],
    };
    const waiting = waitHealthy([one], {
      phase: 'check',
      code,
      timeoutMs: 10_000,
      clock,
      reporter,
    });
    const rejected = assert.rejects(waiting, {
      code,
      message: 'wait for etcd: not healthy after 10 s; last seen: here answered 503',
    });
    await passSeconds(clock, 20);
    await rejected;
    assert.deepEqual(lines.slice(-2), [
      '! etcd: last lines of the log:',
      '! etcd:   panic: no space left',
    ]);
  });
});

suite('askHealth', () => {
  test('200 is healthy, anything else is told with its address', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/healthz' ? 200 : 503;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const at = `http://127.0.0.1:${port}`;
    assert.deepEqual(await askHealth(`${at}/healthz`), {
      healthy: true,
      observed: `${at}/healthz answered 200`,
    });
    assert.equal((await askHealth(`${at}/livez`)).observed, `${at}/livez answered 503`);
    await new Promise((resolve) => server.close(resolve));
    assert.equal((await askHealth(`${at}/healthz`)).observed, `${at}/healthz: ECONNREFUSED`);
  });
});

suite('diagnosis', () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-diagnosis-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const files = createRootFolderFiles({ root, userId: 1 });
  assert.ok(files !== undefined);
  const attributes = { mode: 0o640, uid: 0, gid: 0 };
  const journal: RunProgram = async () => ({
    exitCode: 0,
    signal: undefined,
    stderr: '',
    stdout: 'I1201 syncing\nE1201 pod kube-apiserver-cp1 failed: CrashLoopBackOff\nI1201 done\n',
  });
  const ground = {
    files,
    run: journal,
    clock: new VirtualClock(),
    logger: silentLogger,
    variables: {},
  };

  test('the newest log of the container and the line of the kubelet that names it', async () => {
    const folder = '/var/log/pods/kube-system_kube-apiserver-cp1_0123/kube-apiserver';
    await files.makeDirectory(folder, { ...attributes, mode: 0o755 });
    const text =
      '2026-12-01T04:00:00Z stderr F starting\n2026-12-01T04:00:01Z stderr F bind: in use\n';
    await files.write(`${folder}/0.log`, Buffer.from(text), attributes);
    assert.deepEqual(await diagnoseComponent(ground as unknown as Ground, 'kube-apiserver'), [
      `last lines of ${folder}/0.log:`,
      '  starting',
      '  bind: in use',
      'the kubelet says:',
      '  E1201 pod kube-apiserver-cp1 failed: CrashLoopBackOff',
    ]);
  });

  test('without a log and without programs both are told', async () => {
    const { run: _, ...without } = ground;
    assert.deepEqual(await diagnoseComponent(without as unknown as Ground, 'kube-scheduler'), [
      'no container of it has a log below /var/log/pods: the kubelet never started it',
      'the journal of the kubelet cannot be read from here',
    ]);
  });

  test('at most ten lines of a log, five of the journal', () => {
    const many = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    assert.equal(lastLogLines(many).length, 10);
    assert.deepEqual(tellingJournalLines(many).at(-1), 'line 39');
    assert.equal(tellingJournalLines(many).length, 5);
  });
});
