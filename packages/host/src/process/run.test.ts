import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { programPath, programPathOf, runProgram } from './run.ts';

suite('runProgram', () => {
  test('arguments are passed as they are, without a shell', async () => {
    const result = await runProgram(['printf', '%s|', '$HOME', 'a b', '; exit 3', '*']);
    assert.deepEqual([result.exitCode, result.stdout], [0, '$HOME|a b|; exit 3|*|']);
  });

  test('the environment is clean but for what is given', async () => {
    const { stdout } = await runProgram(['env'], { environment: { GIVEN: 'x' } });
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    assert.deepEqual(names.sort(), [
      'GIVEN',
      'LC_ALL',
      'PATH',
      'SYSTEMD_COLORS',
      'SYSTEMD_PAGER',
      'SYSTEMD_URLIFY',
    ]);
  });

  test('exit code, signal and both outputs are reported', async () => {
    const failed = await runProgram(['sh', '-c', 'echo out; echo err >&2; exit 7']);
    assert.deepEqual(failed, { exitCode: 7, signal: undefined, stdout: 'out\n', stderr: 'err\n' });
    const killed = await runProgram(['sh', '-c', 'kill -9 $$']);
    assert.deepEqual([killed.exitCode, killed.signal], [-1, 'SIGKILL']);
  });

  test('output is bounded, input is given', async () => {
    const bounded = await runProgram(['cat'], { input: 'x'.repeat(100_000), maxOutputBytes: 10 });
    assert.equal(bounded.stdout, 'x'.repeat(10));
    const unread = await runProgram(['true'], { input: 'x'.repeat(1_000_000) });
    assert.equal(unread.exitCode, 0);
  });

  test('a program that does not end is killed, also when a grandchild holds its output', async () => {
    const hanging = runProgram(['sh', '-c', 'sleep 5 & wait'], { timeoutMs: 50 });
    await assert.rejects(hanging, { code: 'host.process.timeout' });
  });

  test('a program that does not exist is an error', async () => {
    await assert.rejects(runProgram(['/no/such/program']), { code: 'host.process.not-started' });
    await assert.rejects(runProgram([]), { code: 'host.process.not-started' });
  });
});

suite('programPathOf', () => {
  const cases = [
    { name: 'none', given: undefined, want: programPath },
    {
      name: 'directories of the user come first',
      given: '/opt/bin',
      want: `/opt/bin:${programPath}`,
    },
    { name: 'each once', given: programPath, want: programPath },
    { name: 'what is not absolute leads anywhere', given: ':.:bin:', want: programPath },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.equal(programPathOf(given), want));
});
