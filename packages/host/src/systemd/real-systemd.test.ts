import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunProgram } from '../process/run.ts';
import { createRealSystemd } from './real-systemd.ts';
import { parseProperties, parseUnitFileState } from './unit-status.ts';

type Answer = { readonly exitCode?: number; readonly stdout?: string; readonly stderr?: string };

/** systemctl and journalctl that answer by the verb, and remember what they were asked. */
function answering(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const run: RunProgram = async (argv) => {
    asked.push(argv.join(' '));
    const key = Object.keys(answers).find((part) => argv.join(' ').includes(part));
    const answer = key === undefined ? {} : answers[key];
    return { exitCode: 0, signal: undefined, stdout: '', stderr: '', ...answer };
  };
  return { systemd: createRealSystemd(run), asked };
}

const shown = `LoadState=loaded
ActiveState=active
SubState=running
InvocationID=0123456789abcdef0123456789abcdef
NeedDaemonReload=yes
CanReload=no
`;

suite('systemctl', () => {
  test('a status is read from show and is-enabled', async () => {
    const { systemd } = answering({
      'is-enabled': { exitCode: 1, stdout: 'disabled\n' },
      show: { stdout: shown },
    });
    assert.deepEqual(await systemd.status('a.service'), {
      loadState: 'loaded',
      activeState: 'active',
      subState: 'running',
      unitFileState: 'disabled',
      invocationId: '0123456789abcdef0123456789abcdef',
      needDaemonReload: true,
      canReload: false,
    });
  });

  test('an answer without a property is an error', async () => {
    const { systemd } = answering({ show: { stdout: 'LoadState=loaded\n' } });
    await assert.rejects(systemd.status('a.service'), {
      code: 'host.systemd.unreadable',
      message: 'read status of a.service: no ActiveState in the answer',
    });
  });

  test('units never pass for options', async () => {
    const { systemd, asked } = answering({});
    await systemd.start('--now');
    await systemd.enable('-x.service');
    assert.deepEqual(asked, [
      'systemctl --no-pager --no-ask-password start -- --now',
      'systemctl --no-pager --no-ask-password enable --quiet -- -x.service',
    ]);
  });

  test('a failing start tells systemd’s words, the unit’s result and its last lines', async () => {
    const { systemd } = answering({
      'restart -- a.service': { exitCode: 1, stderr: 'Job for a.service failed.\nSee more.\n' },
      'show --property=Result': { stdout: 'Result=exit-code\nExecMainStatus=203\n' },
      journalctl: { stdout: 'a: cannot find b\n' },
    });
    await assert.rejects(systemd.restart('a.service'), {
      code: 'host.systemd.failed',
      message:
        'systemctl restart a.service: Job for a.service failed. | See more.; result exit-code (status 203); journal: a: cannot find b',
    });
  });

  test('a failing daemon-reload and silence are told too', async () => {
    const { systemd } = answering({ 'daemon-reload': { exitCode: 4 } });
    await assert.rejects(systemd.daemonReload(), {
      message: 'systemctl daemon-reload: exit code 4',
    });
  });

  test('properties may hold equals signs; not-found is no state', () => {
    assert.deepEqual(
      [...parseProperties('A=b=c\n\njunk\nB=')],
      [
        ['A', 'b=c'],
        ['B', ''],
      ],
    );
    assert.equal(parseUnitFileState('not-found\n'), '');
    assert.equal(parseUnitFileState('enabled\n'), 'enabled');
    assert.equal(parseUnitFileState(''), '');
  });
});
