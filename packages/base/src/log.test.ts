import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { TerminalError } from './errors.ts';
import { createLogger } from './log.ts';
import { Secret } from './secret.ts';

test('a line is one JSON object with level, message and fields', () => {
  const lines: string[] = [];
  createLogger((line) => lines.push(line), 'info', { room: 'base' })
    .child({ node: 'n1' })
    .warn('it happened', { count: 2 });
  const { time, ...rest } = JSON.parse(lines[0] ?? '');
  assert.match(time, /^\d{4}-/);
  assert.deepEqual(rest, {
    level: 'warn',
    message: 'it happened',
    room: 'base',
    node: 'n1',
    count: 2,
  });
});

test('lines below the level are dropped', () => {
  const lines: string[] = [];
  createLogger((line) => lines.push(line), 'warn').info('quiet');
  assert.deepEqual(lines, []);
});

test('an error keeps its message, stack and causes', () => {
  const lines: string[] = [];
  const cause = new Error('disk full');
  createLogger((line) => lines.push(line)).error('failed', {
    error: new TerminalError('write file', { code: 'x', cause }),
  });
  const { error } = JSON.parse(lines[0] ?? '');
  assert.equal(error.message, 'write file');
  assert.equal(error.cause.message, 'disk full');
  assert.match(error.stack, /log\.test/);
});

test('a secret prints as stars wherever it is printed', () => {
  const secret = new Secret('hunter2');
  const lines: string[] = [];
  createLogger((line) => lines.push(line)).info('token', { secret, nested: { secret } });
  const printed = [
    lines.join(),
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }),
    `${secret}`,
  ];
  assert.deepEqual(
    printed.filter((text) => text.includes('hunter2')),
    [],
  );
  assert.equal(secret.reveal(), 'hunter2');
});
