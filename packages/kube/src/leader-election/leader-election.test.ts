import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { Lease } from '@slipway/api';
import { silentLogger, VirtualClock } from '@slipway/base';
import { createKubeClient } from '../client/create-kube-client.ts';
import {
  answerJson,
  answerStatus,
  ScriptedApiServer,
  type SeenRequest,
} from '../testing/scripted-api-server.ts';
import { createLeaderElection } from './leader-election.ts';
import { microTime } from './lease-lock.ts';

/** Leases with the optimistic concurrency of the real API. */
class LeaseStore {
  lease: Lease | undefined;
  /** While set, every request is answered by it. */
  outage: ((response: ServerResponse) => void) | undefined;
  #revision = 0;

  /** Writes and then loses its answers, as a proxy that dies does. */
  losesAnswers: boolean = false;

  answer(request: SeenRequest, response: ServerResponse): void {
    if (this.outage !== undefined) this.outage(response);
    else if (request.method === 'GET') this.#read(response);
    else this.#write(request, response);
  }

  #write(request: SeenRequest, response: ServerResponse): void {
    const given: Lease = JSON.parse(request.body);
    const current = this.lease?.metadata?.resourceVersion;
    if (request.method === 'POST' && current !== undefined) {
      answerStatus(response, 409, 'AlreadyExists');
    } else if (request.method === 'PUT' && given.metadata?.resourceVersion !== current) {
      answerStatus(response, 409, 'Conflict');
    } else {
      this.#revision += 1;
      const metadata = { ...given.metadata, resourceVersion: `${this.#revision}` };
      this.lease = { ...given, metadata };
      if (this.losesAnswers) response.destroy();
      else answerJson(response, 200, this.lease);
    }
  }

  #read(response: ServerResponse): void {
    if (this.lease === undefined) answerStatus(response, 404, 'NotFound');
    else answerJson(response, 200, this.lease);
  }
}

async function serveLeases() {
  const store = new LeaseStore();
  const server = new ScriptedApiServer((request, response) => store.answer(request, response));
  await server.start();
  const client = createKubeClient(server.connection);
  const clock = new VirtualClock();
  const leaders = new Set<string>();
  const history: string[] = [];
  const candidate = (identity: string, skewMs = 0) => {
    // A clock of its own wall time over the common passing of time.
    const own = {
      now: () => clock.now() + skewMs,
      monotonic: () => clock.monotonic(),
      timer: clock.timer.bind(clock),
      sleep: clock.sleep.bind(clock),
    };
    return createLeaderElection({
      client,
      namespace: 'kube-system',
      name: 'operator',
      identity,
      clock: own,
      logger: silentLogger,
      onStartedLeading: async (signal) => {
        assert.equal(leaders.size, 0, `${identity} leads beside ${[...leaders].join()}`);
        leaders.add(identity);
        history.push(identity);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        leaders.delete(identity);
      },
    });
  };
  /** Lets virtual time pass with real I/O in between until the condition holds; gives what passed. */
  const until = async (condition: () => boolean, limitMs = 60_000): Promise<number> => {
    const begun = clock.monotonic();
    while (!condition()) {
      const passed = clock.monotonic() - begun;
      assert.ok(passed < limitMs, `nothing after ${passed} ms`);
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(5);
    }
    return clock.monotonic() - begun;
  };
  /** Stopping waits for a last request, so time must go on meanwhile. */
  const settle = async (promise: Promise<unknown>) => {
    let settled = false;
    const done = promise.finally(() => {
      settled = true;
    });
    await until(() => settled);
    await done;
  };
  return {
    store,
    history,
    leaders,
    candidate,
    until,
    settle,
    async [Symbol.asyncDispose]() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('one leads; when it stops it releases, and the other follows at once', async () => {
  await using kit = await serveLeases();
  const [a, b] = [kit.candidate('a'), kit.candidate('b', 3_600_000)];
  await a.start();
  await kit.until(() => a.isLeader);
  await b.start();
  await kit.until(() => false, 30_000).catch(() => undefined);
  assert.deepEqual(kit.history, ['a'], 'renewals keep it, in spite of a clock that is an hour off');
  assert.equal(kit.store.lease?.spec?.leaseTransitions, 0);
  assert.match(kit.store.lease?.spec?.renewTime ?? '', /^2026-01-01T00:00:\d\d\.\d{6}Z$/);
  await kit.settle(a.stop());
  const waited = await kit.until(() => b.isLeader);
  assert.ok(waited < 5000, `took ${waited} ms`);
  assert.equal(kit.store.lease?.spec?.holderIdentity, 'b');
  assert.ok((kit.store.lease?.spec?.leaseTransitions ?? 0) >= 1);
  await kit.settle(b.stop());
  assert.equal(kit.store.lease?.spec?.holderIdentity, '');
});

test('a leader that vanished is followed after its lease ran out, not before', async () => {
  await using kit = await serveLeases();
  const old = microTime(Date.UTC(2020, 0, 1));
  kit.store.lease = {
    metadata: { name: 'operator', namespace: 'kube-system', resourceVersion: 'x' },
    spec: { holderIdentity: 'gone', leaseDurationSeconds: 15, renewTime: old, leaseTransitions: 4 },
  };
  const a = kit.candidate('a');
  await a.start();
  const waited = await kit.until(() => a.isLeader);
  assert.ok(waited >= 15_000 && waited < 22_000, `took ${waited} ms`);
  assert.equal(kit.store.lease.spec?.leaseTransitions, 5);
  await kit.settle(a.stop());
});

test('a leader that cannot renew stops within the deadline, and stands again', async () => {
  for (const outage of [
    (response: ServerResponse) => answerStatus(response, 500, 'Broken'),
    () => undefined,
  ]) {
    await using kit = await serveLeases();
    const a = kit.candidate('a');
    await a.start();
    await kit.until(() => kit.leaders.has('a'));
    kit.store.outage = outage;
    const lasted = await kit.until(() => kit.leaders.size === 0);
    assert.ok(lasted > 5000 && lasted <= 10_100, `lasted ${lasted} ms`);
    kit.store.outage = undefined;
    await kit.until(() => a.isLeader);
    assert.deepEqual(kit.history, ['a', 'a']);
    await kit.settle(a.stop());
  }
});

test('a lease that somebody took ends the term', async () => {
  await using kit = await serveLeases();
  const a = kit.candidate('a');
  await a.start();
  await kit.until(() => kit.leaders.has('a'));
  const { lease } = kit.store;
  kit.store.lease = {
    ...lease,
    metadata: { ...lease?.metadata, resourceVersion: 'stolen' },
    spec: { ...lease?.spec, holderIdentity: 'thief' },
  };
  await kit.until(() => kit.leaders.size === 0, 3000);
  assert.equal(kit.store.lease.spec?.holderIdentity, 'thief');
  await kit.settle(a.stop());
});

test('a renewal whose answer was lost does not cost the lease', async () => {
  await using kit = await serveLeases();
  const a = kit.candidate('a');
  await a.start();
  await kit.until(() => kit.leaders.has('a'));
  const version = () => Number(kit.store.lease?.metadata?.resourceVersion);
  const before = version();
  kit.store.losesAnswers = true;
  await kit.until(() => version() > before);
  kit.store.losesAnswers = false;
  await kit.until(() => version() > before + 2);
  assert.deepEqual(kit.history, ['a']);
  await kit.settle(a.stop());
});

test('microTime', () => {
  assert.equal(microTime(Date.UTC(2026, 1, 3, 4, 5, 6, 7)), '2026-02-03T04:05:06.007000Z');
});
