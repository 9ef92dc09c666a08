import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Watcher } from './watcher.ts';

/** A peer that takes lines only while it is open. */
function peer() {
  const lines: string[] = [];
  const noop = (): void => undefined;
  const state = { open: true, ended: false, resume: noop };
  return {
    lines,
    state,
    sink: {
      write(line: Buffer) {
        lines.push(line.toString());
        return state.open;
      },
      onDrain(resume: () => void) {
        state.resume = resume;
      },
      end() {
        state.ended = true;
      },
    },
  };
}

const line = (text: string) => Buffer.from(text);

test('live lines wait for the backlog and for a slow peer, in order', () => {
  const { lines, sink, state } = peer();
  state.open = false;
  const watcher = new Watcher(sink, [line('a'), line('b')].values(), () => undefined);
  watcher.start();
  watcher.push(line('c'));
  watcher.push(line('d'));
  assert.deepEqual(lines, ['a']);
  state.open = true;
  state.resume();
  assert.equal(lines.join(''), 'abcd');
  watcher.push(line('e'));
  assert.equal(lines.join(''), 'abcde');
});

test('a peer that does not read for too long is cut off', () => {
  const { sink, state } = peer();
  let closed = 0;
  state.open = false;
  const watcher = new Watcher(sink, [line('a')].values(), () => {
    closed += 1;
  });
  watcher.start();
  const big = Buffer.alloc(1024 * 1024);
  for (let index = 0; index < 5; index += 1) watcher.push(big);
  assert.equal(state.ended, true);
  assert.equal(closed, 1);
  watcher.close();
  assert.equal(closed, 1);
});
