import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { TerminalError, TransientError, VirtualClock } from '@slipway/base';
import { ApiError } from '@slipway/kube';
import { retryApiCall } from './retry-api-call.ts';

function answer(code: number): ApiError {
  return new ApiError('ask', { status: 'Failure', code });
}

/** A call that fails with each of `failures` and then succeeds. */
function failing(failures: readonly Error[]) {
  const left = [...failures];
  const call = async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return 'done';
  };
  return { call, left };
}

/** Lets the call come to its next wait, then moves time. */
async function passed(clock: VirtualClock, ms: number): Promise<void> {
  await clock.advance(0);
  await clock.advance(ms);
}

suite('retryApiCall', () => {
  const passing = [
    { name: 'a broken connection', given: new TransientError('x', { code: 'y' }) },
    { name: 'a server that starts', given: answer(503) },
    { name: 'a conflict', given: answer(409) },
    { name: 'roles that are not there yet', given: answer(403) },
    { name: 'a namespace that is not there yet', given: answer(404) },
  ];
  for (const { name, given } of passing) {
    test(`${name} passes`, async () => {
      const clock = new VirtualClock();
      const { call } = failing([given, given, given]);
      const result = retryApiCall(call, { clock });
      await passed(clock, 1500);
      assert.equal(await result, 'done');
    });
  }

  const lasting = [
    { name: 'an invalid object', given: answer(422) },
    { name: 'a failure of ours', given: new TerminalError('x', { code: 'y' }) },
    { name: 'a bug', given: new TypeError('x') },
  ];
  for (const { name, given } of lasting) {
    test(`${name} is reported at once`, async () => {
      const { call, left } = failing([given, given]);
      await assert.rejects(retryApiCall(call, { clock: new VirtualClock() }), given);
      assert.equal(left.length, 1);
    });
  }

  test('when the time is over, the last failure is reported', async () => {
    const clock = new VirtualClock();
    const failures = Array.from({ length: 9 }, (_, index) => answer(index === 2 ? 503 : 500));
    const { call } = failing(failures);
    const result = assert.rejects(retryApiCall(call, { clock, timeoutMs: 1100 }), failures[2]);
    await passed(clock, 2000);
    await result;
  });

  test('the server says how long to wait', async () => {
    const clock = new VirtualClock();
    const busy = new ApiError('ask', { status: 'Failure', code: 429 }, 5000);
    const { call, left } = failing([busy, busy]);
    const result = retryApiCall(call, { clock });
    await passed(clock, 4999);
    assert.equal(left.length, 1);
    await passed(clock, 5001);
    assert.equal(await result, 'done');
  });
});
