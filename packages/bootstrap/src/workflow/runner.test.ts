import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { UserError } from '@slipway/base';
import type { Phase } from './phase.ts';
import { runWorkflow } from './runner.ts';
import { recordingReporter } from './testing/recording-reporter.ts';

type Log = { readonly ran: string[]; readonly stopIn?: string; readonly stop: AbortController };

function step(name: string, extra: Partial<Phase<Log>> = {}): Phase<Log> {
  return {
    name,
    description: name,
    run: async (log) => {
      log.ran.push(name);
      if (log.stopIn === name) log.stop.abort(new Error('stopped'));
    },
    ...extra,
  };
}

const phases: readonly Phase<Log>[] = [
  step('a'),
  { name: 'b', description: 'b', phases: [step('c'), step('d')] },
  step('e', { skipReason: () => 'nothing to do' }),
];

function logFor(stopIn?: string): Log {
  return { ran: [], stop: new AbortController(), ...(stopIn === undefined ? {} : { stopIn }) };
}

suite('runWorkflow', () => {
  test('runs leaves in order and tells why one has nothing to do', async () => {
    const data = logFor();
    const { reporter, lines } = recordingReporter();
    await runWorkflow({ phases, selection: {}, data, reporter });
    assert.deepEqual(data.ran, ['a', 'c', 'd']);
    assert.deepEqual(lines, ['[e] skipped e: nothing to do']);
  });

  test('a wrong selection runs nothing', async () => {
    const data = logFor();
    const { reporter } = recordingReporter();
    const run = runWorkflow({ phases, selection: { skip: ['b/x'] }, data, reporter });
    await assert.rejects(run, (error) => error instanceof UserError && /b\/x/.test(error.message));
    assert.deepEqual(data.ran, []);
  });

  test('interrupted, it ends before the next phase and names it', async () => {
    const data = logFor('c');
    const { reporter } = recordingReporter();
    const { signal } = data.stop;
    const run = runWorkflow({ phases, selection: {}, data, reporter, signal });
    await assert.rejects(run, /phase b\/d: interrupted before it began/);
    assert.deepEqual(data.ran, ['a', 'c']);
  });

  test('after each phase its changes are told, also when it failed', async () => {
    const told: string[] = [];
    const failing = step('f', { run: () => Promise.reject(new Error('broken')) });
    const { reporter } = recordingReporter();
    const run = runWorkflow({
      phases: [step('a'), failing, step('g')],
      selection: {},
      data: logFor(),
      reporter,
      afterPhase: async (name) => void told.push(name),
    });
    await assert.rejects(run, /broken/);
    assert.deepEqual(told, ['a', 'f']);
  });
});
