import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { configMaps, type Node, nodes, type Pod, pods } from '@slipway/api';
import { Secret, SlipwayError, UserError, VirtualClock } from '@slipway/base';
import * as errors from '../errors.ts';
import {
  type Answer,
  answerJson,
  answerStatus,
  ScriptedApiServer,
  testPem,
  writeEvent,
} from '../testing/scripted-api-server.ts';
import { createKubeClient, type KubeClientOptions } from './create-kube-client.ts';
import type { KubeClient } from './kube-client.ts';

async function serve(answer: Answer, options: KubeClientOptions = {}) {
  const server = new ScriptedApiServer(answer);
  await server.start();
  const client = createKubeClient(server.connection, options);
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof SlipwayError) return error.code;
    throw error;
  }
  return 'no error';
}

const node = (name: string, resourceVersion = '1'): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, resourceVersion },
});

test('requests have the method, path, query, type and body that the API expects', async () => {
  await using kit = await serve((_request, response) => answerJson(response, 200, { kind: 'Any' }));
  const pod: Pod & { metadata: { name: string; namespace: string; uid: string } } = {
    metadata: { name: 'web 1', namespace: 'shop', uid: 'u1' },
  };
  const key = { namespace: 'shop', name: 'web' };
  const table: { name: string; call: (c: KubeClient) => Promise<unknown>; want: unknown[] }[] = [
    {
      name: 'get cluster scoped',
      call: (c) => c.get(nodes, 'n1'),
      want: ['GET', '/api/v1/nodes/n1', '', ''],
    },
    {
      name: 'create fills apiVersion and kind',
      call: (c) => c.create(configMaps, { metadata: key }, { dryRun: true }),
      want: [
        'POST',
        '/api/v1/namespaces/shop/configmaps',
        'dryRun=All',
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"shop","name":"web"}}',
      ],
    },
    {
      name: 'update of a subresource',
      call: (c) => c.update(nodes, node('n1'), { subresource: 'status' }),
      want: ['PUT', '/api/v1/nodes/n1/status', '', JSON.stringify(node('n1'))],
    },
    {
      name: 'patch',
      call: (c) => c.patch(nodes, 'n1', { type: 'merge', body: { spec: null } }),
      want: ['PATCH', '/api/v1/nodes/n1', '', '{"spec":null}'],
    },
    {
      name: 'delete with a precondition',
      call: (c) => c.delete(pods, key, { gracePeriodSeconds: 0, preconditions: { uid: 'u' } }),
      want: [
        'DELETE',
        '/api/v1/namespaces/shop/pods/web',
        '',
        '{"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,"preconditions":{"uid":"u"}}',
      ],
    },
    {
      name: 'evict, with an escaped name',
      call: (c) => c.evict(pod, { gracePeriodSeconds: 5 }),
      want: [
        'POST',
        '/api/v1/namespaces/shop/pods/web%201/eviction',
        '',
        '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web 1","namespace":"shop"},"deleteOptions":{"gracePeriodSeconds":5,"preconditions":{"uid":"u1"}}}',
      ],
    },
  ];
  for (const { name, call, want } of table) {
    await call(kit.client);
    const seen = kit.server.requests.at(-1);
    assert.deepEqual([seen?.method, seen?.path, seen?.query.toString(), seen?.body], want, name);
  }
  const types = kit.server.requests.map((request) => request.headers['content-type']);
  assert.equal(types[3], 'application/merge-patch+json');
  assert.equal(kit.server.requests[0]?.headers['user-agent'], 'slipway');
  assert.equal(kit.server.requests[0]?.clientName, 'first');
});

test('what has no address is refused before it is sent', async () => {
  await using kit = await serve((_request, response) => answerJson(response, 200, {}));
  const { client } = kit;
  const table: { name: string; given: () => Promise<unknown> }[] = [
    { name: 'empty name would delete the collection', given: () => client.delete(nodes, '') },
    { name: 'dots', given: () => client.get(nodes, '..') },
    { name: 'no namespace', given: () => client.get(pods, 'web') },
    { name: 'empty namespace', given: () => client.get(pods, { namespace: '', name: 'web' }) },
    { name: 'create without namespace', given: () => client.create(pods, { metadata: {} }) },
  ];
  for (const { name, given } of table) {
    assert.equal(await codeOf(given()), 'kube.bad-request', name);
  }
  assert.equal(kit.server.requests.length, 0);
});

test('failures are told apart', async () => {
  const table = [
    { code: 401, reason: 'Unauthorized', want: errors.isUnauthorized },
    { code: 403, reason: 'Forbidden', want: errors.isForbidden },
    { code: 404, reason: 'NotFound', want: errors.isNotFound },
    { code: 409, reason: 'Conflict', want: errors.isConflict },
    { code: 409, reason: 'AlreadyExists', want: errors.isAlreadyExists },
    { code: 410, reason: 'Expired', want: errors.isGone },
    { code: 422, reason: 'Invalid', want: errors.isInvalid },
    { code: 429, reason: 'TooManyRequests', want: errors.isTooManyRequests },
  ];
  const predicates = new Set(table.map((row) => row.want));
  await using kit = await serve((_request, response) => answerJson(response, 200, {}));
  for (const { code, reason, want } of table) {
    kit.server.answerWith((_request, response) => answerStatus(response, code, reason));
    await assert.rejects(kit.client.get(nodes, 'n1'), (error: Error) => {
      assert.ok(error instanceof errors.ApiError);
      assert.equal(error.message, `GET /api/v1/nodes/n1: made up: ${reason}`);
      for (const predicate of predicates)
        assert.equal(predicate(error), predicate === want, reason);
      return true;
    });
  }
  kit.server.answerWith((_request, response) => response.writeHead(502).end('<html>bad gateway'));
  await assert.rejects(kit.client.get(nodes, 'n1'), /GET \/api\/v1\/nodes\/n1: <html>bad gateway/);
  kit.server.answerWith((_request, response) => response.end('{"cut'));
  assert.equal(await codeOf(kit.client.get(nodes, 'n1')), 'kube.bad-response');
});

test('list follows pages and gives built-in items their type', async () => {
  await using kit = await serve((request, response) => {
    const second = request.query.get('continue') === 'next';
    answerJson(response, 200, {
      metadata: { resourceVersion: '7', ...(second ? {} : { continue: 'next' }) },
      items: [{ metadata: { name: second ? 'b' : 'a' } }],
    });
  });
  const items = await kit.client.list(nodes, { labelSelector: 'a=b', resourceVersion: '0' });
  assert.deepEqual(
    items.map((item) => [item.kind, item.apiVersion, item.metadata?.name]),
    [
      ['Node', 'v1', 'a'],
      ['Node', 'v1', 'b'],
    ],
  );
  assert.deepEqual(
    kit.server.requests.map((request) => request.query.toString()),
    [
      'labelSelector=a%3Db&resourceVersion=0&limit=100',
      'labelSelector=a%3Db&limit=100&continue=next',
    ],
  );
});

test('an expired continue token begins the list again, at last in one piece', async () => {
  await using kit = await serve((request, response) => {
    if (request.query.has('continue')) return answerStatus(response, 410, 'Expired');
    const paged = request.query.has('limit');
    answerJson(response, 200, {
      metadata: { resourceVersion: '7', ...(paged ? { continue: 'next' } : {}) },
      items: [node('a')],
    });
  });
  assert.deepEqual(await kit.client.list(nodes), [node('a')]);
  assert.equal(kit.server.requests.length, 7);
});

test('429 and 503 with Retry-After are waited for, within bounds', async () => {
  const clock = new VirtualClock();
  await using kit = await serve((_request, response) => answerJson(response, 200, {}), { clock });
  const table = [
    { name: '429', code: 429, header: '2', retried: true },
    { name: '503', code: 503, header: '1', retried: true },
    { name: 'no header', code: 503, header: undefined, retried: false },
    { name: 'too long', code: 429, header: '3600', retried: false },
    { name: 'other code', code: 500, header: '1', retried: false },
  ];
  for (const { name, code, header, retried } of table) {
    let calls = 0;
    kit.server.answerWith((_request, response) => {
      calls += 1;
      const headers: Record<string, string> = header === undefined ? {} : { 'Retry-After': header };
      if (calls > 1) return answerJson(response, 200, node('n1'));
      return answerStatus(response, code, 'Busy', headers);
    });
    const result = kit.client.get(nodes, 'n1').then(
      () => true,
      () => false,
    );
    assert.equal(await whileAdvancing(clock, result), retried, name);
    assert.equal(calls, retried ? 2 : 1, name);
  }
  kit.server.answerWith((_request, response) =>
    answerStatus(response, 429, 'Busy', { 'Retry-After': '1' }),
  );
  const before = kit.server.requests.length;
  assert.equal(
    await codeOf(whileAdvancing(clock, kit.client.get(nodes, 'n1'))),
    'kube.api-failure',
  );
  assert.equal(kit.server.requests.length - before, 6);
  const evictedFrom = kit.server.requests.length;
  const pod = { metadata: { name: 'p', namespace: 'x' } };
  await assert.rejects(kit.client.evict(pod), errors.isTooManyRequests);
  assert.equal(kit.server.requests.length - evictedFrom, 1);
});

/** Lets virtual time pass in small steps, with real I/O in between, until the promise settles. */
async function whileAdvancing<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = promise.finally(() => {
    settled = true;
  });
  done.catch(() => undefined);
  while (!settled) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(10);
  }
  return done;
}

test('a request that gets no answer ends with its time', async () => {
  await using kit = await serve(() => undefined, { timeoutMs: 30 });
  assert.equal(await codeOf(kit.client.get(nodes, 'n1')), 'kube.timeout');
});

test('abort, size bound, broken connection and close end a request', async () => {
  await using kit = await serve(() => undefined, { maxResponseBytes: 1000 });
  const aborting = new AbortController();
  const aborted = kit.client.get(nodes, 'n1', { signal: aborting.signal });
  aborting.abort(new Error('no longer wanted'));
  await assert.rejects(aborted, /no longer wanted/);
  await assert.rejects(kit.client.get(nodes, 'n1', { signal: aborting.signal }), /no longer/);
  kit.server.answerWith((_request, response) => response.end('x'.repeat(2000)));
  assert.equal(await codeOf(kit.client.get(nodes, 'n1')), 'kube.response-too-large');
  kit.server.answerWith((_request, response) => {
    response.write('{');
    response.destroy();
  });
  assert.equal(await codeOf(kit.client.get(nodes, 'n1')), 'kube.connection');
  kit.server.answerWith(() => kit.client.close());
  assert.equal(await codeOf(kit.client.get(nodes, 'n1')), 'kube.closed');
  assert.equal(await codeOf(kit.client.get(nodes, 'n1')), 'kube.closed');
});

test('raw gives any answer', async () => {
  await using kit = await serve((_request, response) => response.writeHead(503).end('not ready'));
  assert.deepEqual(await kit.client.raw('/readyz?verbose'), { status: 503, body: 'not ready' });
  await kit.server[Symbol.asyncDispose]();
  assert.equal(await codeOf(kit.client.raw('/readyz')), 'kube.connection');
});

test('a connection that the server closed while idle does not fail a read', async () => {
  await using kit = await serve((_request, response) => answerJson(response, 200, node('n1')));
  for (let round = 0; round < 5; round += 1) {
    await kit.client.get(nodes, 'n1');
    kit.server.breakConnections();
  }
});

test('replaced certificate files are used without a restart, half-replaced ones are not', async () => {
  const clock = new VirtualClock();
  const folder = await mkdtemp(join(tmpdir(), 'kube-client-'));
  await using server = new ScriptedApiServer((_request, response) =>
    answerJson(response, 200, node('n1')),
  );
  await server.start();
  const install = (from: string, to: string) =>
    copyFile(
      fileURLToPath(new URL(`../testing/testdata/${from}.pem`, import.meta.url)),
      join(folder, to),
    );
  await install('client', 'cert');
  await install('client-key', 'key');
  const client = createKubeClient(
    {
      ...server.connection,
      clientCertificate: { path: join(folder, 'cert') },
      clientKey: { path: join(folder, 'key') },
    },
    { clock },
  );
  const nameAfter = async (ms: number) => {
    await clock.advance(ms);
    await client.get(nodes, 'n1');
    return server.requests.at(-1)?.clientName;
  };
  assert.equal(await nameAfter(0), 'first');
  await install('client-renewed', 'cert');
  assert.equal(await nameAfter(11_000), 'first', 'the key does not fit yet');
  await install('client-renewed-key', 'key');
  assert.equal(await nameAfter(1000), 'first', 'not looked at yet');
  assert.equal(await nameAfter(11_000), 'second');
  await rm(folder, { recursive: true });
  assert.equal(await nameAfter(11_000), 'second', 'files that vanished do not break what works');
  client.close();
});

test('the server is verified, and must be https', async () => {
  await using kit = await serve((_request, response) => answerJson(response, 200, node('n1')));
  const { certificateAuthority: _trusted, ...untrusting } = kit.server.connection;
  const distrustful = createKubeClient(untrusting);
  assert.equal(await codeOf(distrustful.get(nodes, 'n1')), 'kube.connection');
  const wrongName = createKubeClient({ ...kit.server.connection, tlsServerName: 'elsewhere' });
  await assert.rejects(wrongName.get(nodes, 'n1'), /altnames|does not match/i);
  const trusting = createKubeClient({
    ...untrusting,
    insecureSkipTlsVerify: true,
    token: { secret: new Secret('abc\n') },
  });
  await trusting.get(nodes, 'n1');
  assert.equal(kit.server.requests.at(-1)?.headers.authorization, 'Bearer abc');
  const plain = createKubeClient({ server: 'http://127.0.0.1:8080' });
  await assert.rejects(plain.get(nodes, 'n1'), UserError);
  const keyless = createKubeClient({
    ...kit.server.connection,
    clientCertificate: { pem: testPem('client-renewed') },
  });
  assert.equal(await codeOf(keyless.get(nodes, 'n1')), 'kube.credentials');
  for (const client of [distrustful, wrongName, trusting, plain, keyless]) client.close();
});

async function eventsOf<T>(watch: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of watch) events.push(event);
  return events;
}

test('a watch yields events across chunk borders and ends with the server', async () => {
  const snowman = { ...node('n1', '5'), metadata: { name: 'n1', annotations: { note: '☃é' } } };
  await using kit = await serve((_request, response) => {
    const text = `${JSON.stringify({ type: 'ADDED', object: snowman })}\n\n${JSON.stringify({
      type: 'BOOKMARK',
      object: { kind: 'Node', metadata: { resourceVersion: '9' } },
    })}\n`;
    const bytes = Buffer.from(text);
    let offset = 0;
    const send = () => {
      if (offset >= bytes.length) response.end();
      else response.write(bytes.subarray(offset, offset + 1), () => setImmediate(send));
      offset += 1;
    };
    send();
  });
  const events = await eventsOf(kit.client.watch(nodes, { resourceVersion: '4' }));
  assert.deepEqual(events, [
    { type: 'ADDED', object: snowman },
    { type: 'BOOKMARK', resourceVersion: '9' },
  ]);
  const query = kit.server.requests[0]?.query;
  assert.equal(query?.get('watch'), 'true');
  assert.equal(query?.get('allowWatchBookmarks'), 'true');
  assert.equal(query?.get('resourceVersion'), '4');
  assert.ok(Number(query?.get('timeoutSeconds')) >= 300);
});

test('a watch fails for an ERROR event, a cut line, a broken connection, silence and abort', async () => {
  await using kit = await serve(() => undefined, { timeoutMs: 5000 });
  const aborting = new AbortController();
  const table: { name: string; given: Answer; want: string }[] = [
    {
      name: 'ERROR event',
      given: (_request, response) => {
        writeEvent(response, 'ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
      },
      want: 'kube.api-failure',
    },
    {
      name: 'refused at once',
      given: (_request, response) => answerStatus(response, 410, 'Expired'),
      want: 'kube.api-failure',
    },
    {
      name: 'cut line',
      given: (_request, response) => response.end('{"type":'),
      want: 'kube.bad-response',
    },
    {
      name: 'not JSON',
      given: (_request, response) => response.end('hello\n'),
      want: 'kube.bad-response',
    },
    {
      name: 'broken',
      given: (_request, response) => {
        response.write('{"type":', () => response.destroy());
      },
      want: 'kube.connection',
    },
    {
      name: 'silent',
      given: (_request, response) => response.flushHeaders(),
      want: 'kube.watch-idle',
    },
  ];
  for (const { name, given, want } of table) {
    kit.server.answerWith(given);
    const watch = kit.client.watch(nodes, { resourceVersion: '4', idleTimeoutMs: 60 });
    assert.equal(await codeOf(eventsOf(watch)), want, name);
  }
  kit.server.answerWith((_request, response) => writeEvent(response, 'ADDED', node('n1')));
  const { signal } = aborting;
  await assert.rejects(async () => {
    for await (const event of kit.client.watch(nodes, { resourceVersion: '4', signal })) {
      assert.equal(event.type, 'ADDED');
      aborting.abort(new Error('enough'));
    }
  }, /enough/);
});

test('leaving a watch closes its connection', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using kit = await serve((_request, response) => {
    response.on('close', resolve);
    writeEvent(response, 'ADDED', node('n1'));
  });
  for await (const _event of kit.client.watch(nodes, { resourceVersion: '4' })) break;
  await promise;
});
