import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Component, startAll, stopAll } from './component.ts';

function recorder(
  name: string,
  log: string[],
  failing: 'start' | 'stop' | 'none' = 'none',
): Component {
  return {
    name,
    async start() {
      log.push(`start ${name}`);
      if (failing === 'start') throw new Error(`${name} does not start`);
    },
    async stop() {
      log.push(`stop ${name}`);
      if (failing === 'stop') throw new Error(`${name} does not stop`);
    },
  };
}

test('components start in order and stop in reverse', async () => {
  const log: string[] = [];
  const all = [recorder('a', log), recorder('b', log)];
  await startAll(all);
  await stopAll(all);
  assert.deepEqual(log, ['start a', 'start b', 'stop b', 'stop a']);
});

test('when one fails to start, those before it are stopped and its error is the answer', async () => {
  const log: string[] = [];
  const all = [recorder('a', log), recorder('b', log), recorder('c', log, 'start')];
  await assert.rejects(startAll(all), /c does not start/);
  assert.deepEqual(log, ['start a', 'start b', 'start c', 'stop b', 'stop a']);
});

test('the first error stays the answer when cleaning up fails too', async () => {
  const all = [recorder('a', [], 'stop'), recorder('b', [], 'start')];
  await assert.rejects(startAll(all), /b does not start/);
});

test('every component is stopped even when one fails, and the failure is thrown at the end', async () => {
  const log: string[] = [];
  const all = [recorder('a', log), recorder('b', log, 'stop'), recorder('c', log)];
  await assert.rejects(stopAll(all), /b does not stop/);
  assert.deepEqual(log, ['stop c', 'stop b', 'stop a']);
});
