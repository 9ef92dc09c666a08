import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodes } from '@slipway/api';
import { createLogger, VirtualClock } from '@slipway/base';
import { createKubeClient } from '../client/create-kube-client.ts';
import {
  type Answer,
  answerJson,
  answerStatus,
  ScriptedApiServer,
} from '../testing/scripted-api-server.ts';
import { createEventRecorder, type Occurrence, referenceTo } from './event-recorder.ts';

const drift: Occurrence = { type: 'Warning', reason: 'ConfigDrift', message: 'a file differs' };
const node = referenceTo(nodes, { metadata: { name: 'w1', uid: 'u1' } });

async function recordTo(answer: Answer) {
  const server = new ScriptedApiServer(answer);
  await server.start();
  const client = createKubeClient(server.connection);
  const clock = new VirtualClock();
  const logged: string[] = [];
  const logger = createLogger((line) => logged.push(JSON.parse(line).message), 'debug');
  const options = { client, component: 'slipway-daemon', host: 'w1', clock, logger };
  const recorder = createEventRecorder(options);
  return {
    server,
    clock,
    recorder,
    logged,
    async [Symbol.asyncDispose]() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the server has answered `count` requests in all. */
function counted(answer: Answer) {
  let seen = 0;
  const waiting: { count: number; resolve: () => void }[] = [];
  return {
    answer: ((request, response) => {
      seen += 1;
      response.on('finish', () => {
        for (const waiter of waiting) if (seen >= waiter.count) waiter.resolve();
      });
      answer(request, response);
    }) satisfies Answer,
    until: (count: number) =>
      new Promise<void>((resolve) => {
        if (seen >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

test('equal occurrences become one event whose count grows', async () => {
  const kept = counted((_request, response) => answerJson(response, 201, {}));
  await using kit = await recordTo(kept.answer);
  kit.recorder.record(node, drift);
  kit.recorder.record(node, drift);
  await kept.until(1);
  await new Promise((resolve) => setImmediate(resolve));
  await kit.clock.advance(61_000);
  kit.recorder.record(node, drift);
  kit.recorder.record(node, { ...drift, message: 'another file differs' });
  await kit.recorder.stop();
  kit.recorder.record(node, { ...drift, message: 'too late' });
  const [first, second, third, ...rest] = kit.server.requests;
  assert.deepEqual(rest, []);
  assert.equal(first?.path, '/api/v1/namespaces/default/events');
  const { metadata, ...event } = JSON.parse(first?.body ?? '');
  assert.match(metadata.name, /^w1\.[0-9a-f]+$/);
  assert.deepEqual(event, {
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'w1', uid: 'u1' },
    type: 'Warning',
    reason: 'ConfigDrift',
    message: 'a file differs',
    source: { component: 'slipway-daemon', host: 'w1' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    count: 2,
    reportingComponent: 'slipway-daemon',
    reportingInstance: 'w1',
  });
  assert.equal(second?.method, 'PATCH');
  assert.equal(second?.path, `/api/v1/namespaces/default/events/${metadata.name}`);
  assert.deepEqual(JSON.parse(second?.body ?? ''), {
    count: 3,
    lastTimestamp: '2026-01-01T00:01:01Z',
  });
  assert.equal(third?.method, 'POST');
});

test('an event that expired is written anew, one that is refused is dropped', async () => {
  const kept = counted((request, response) => {
    if (request.method === 'PATCH') answerStatus(response, 404, 'NotFound');
    else if (request.body.includes('forbidden')) answerStatus(response, 403, 'Forbidden');
    else answerJson(response, 201, {});
  });
  await using kit = await recordTo(kept.answer);
  kit.recorder.record(node, drift);
  kit.recorder.record(node, { ...drift, reason: 'forbidden' });
  await kept.until(2);
  await new Promise((resolve) => setImmediate(resolve));
  kit.recorder.record(node, drift);
  await kit.recorder.stop();
  assert.deepEqual(
    kit.server.requests.map((request) => request.method),
    ['POST', 'POST', 'PATCH', 'POST'],
  );
});

test('a server that does not answer blocks nobody: the backlog is bounded and stop ends', async () => {
  const asked = Promise.withResolvers<void>();
  await using kit = await recordTo(() => asked.resolve());
  for (let index = 0; index < 1000; index += 1) {
    kit.recorder.record(node, { ...drift, message: String(index) });
  }
  await asked.promise;
  const stopping = kit.recorder.stop();
  await kit.clock.advance(3000);
  await stopping;
  assert.equal(kit.server.requests.length, 1);
  assert.equal(kit.logged.filter((message) => message === 'event dropped').length, 800);
});
