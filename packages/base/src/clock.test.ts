import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemClock, VirtualClock } from './clock.ts';

suite('VirtualClock', () => {
  test('fires due timers in order of time', async () => {
    const clock = new VirtualClock(1000);
    const fired: string[] = [];
    clock.timer(20, () => fired.push(`b@${clock.now()}`));
    clock.timer(10, () => fired.push(`a@${clock.now()}`));
    clock.timer(31, () => fired.push('never'));
    await clock.advance(30);
    assert.deepEqual(fired, ['a@1010', 'b@1020']);
  });

  test('a timer set by a timer fires in the same advance when it is due', async () => {
    const clock = new VirtualClock();
    let at = -1;
    clock.timer(10, () =>
      clock.timer(10, () => {
        at = clock.monotonic();
      }),
    );
    await clock.advance(25);
    assert.equal(at, 20);
  });

  test('a disposed timer does not fire', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    clock.timer(5, () => fired.push('fired'))[Symbol.dispose]();
    await clock.advance(10);
    assert.deepEqual(fired, []);
  });

  test('a jump moves the wall clock only', async () => {
    const clock = new VirtualClock(0);
    clock.jump(-5000);
    assert.deepEqual([clock.now(), clock.monotonic()], [-5000, 0]);
  });

  test('sleep ends with the signal and leaves no timer', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const sleeping = clock.sleep(1000, abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(sleeping, /enough/);
  });
});

test('the system clock rejects a sleep whose signal is already aborted', async () => {
  await assert.rejects(systemClock.sleep(1, AbortSignal.abort(new Error('before'))), /before/);
});
