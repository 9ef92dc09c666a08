import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { type Node, nodes } from '@slipway/api';
import { BugError, compareBytes, createLogger, systemClock } from '@slipway/base';
import { createKubeClient } from '../client/create-kube-client.ts';
import {
  answerJson,
  answerStatus,
  ScriptedApiServer,
  type SeenRequest,
  writeEvent,
} from '../testing/scripted-api-server.ts';
import { createInformer } from './create-informer.ts';
import type { InformerEvent, InformerOptions } from './informer-types.ts';

function node(name: string, resourceVersion: string, labels: Record<string, string> = {}): Node {
  const metadata = { name, resourceVersion, uid: `uid-${name}`, labels };
  return { apiVersion: 'v1', kind: 'Node', metadata };
}

/** A collection of nodes with a watch that the test feeds. */
class NodeServer {
  nodes: Node[] = [];
  revision = '10';
  lists = 0;
  /** Answers the next requests of watches instead of opening them. */
  refuseWatches: ((response: ServerResponse) => void) | undefined;
  readonly watchedFrom: string[] = [];
  #watch: ServerResponse | undefined;
  #opened = Promise.withResolvers<void>();

  answer(request: SeenRequest, response: ServerResponse): void {
    if (request.query.get('watch') !== 'true') {
      this.lists += 1;
      const metadata = { resourceVersion: this.revision };
      answerJson(response, 200, { metadata, items: this.nodes });
      return;
    }
    this.watchedFrom.push(request.query.get('resourceVersion') ?? '');
    if (this.refuseWatches !== undefined) {
      this.refuseWatches(response);
      return;
    }
    response.flushHeaders();
    this.#watch = response;
    this.#opened.resolve();
  }

  /** Resolves when a watch is open. */
  async watched(): Promise<void> {
    await this.#opened.promise;
  }

  send(type: string, object: unknown): void {
    assert.ok(this.#watch !== undefined);
    writeEvent(this.#watch, type, object);
  }

  /** Ends the open watch; `watched` then waits for the next. */
  end(how: 'cleanly' | 'broken'): void {
    const watch = this.#watch;
    this.#opened = Promise.withResolvers<void>();
    if (how === 'cleanly') watch?.end();
    else watch?.destroy();
  }
}

async function follow(
  given: Partial<InformerOptions<Node>> = {},
  initial: Node[] = [node('a', '1'), node('b', '2')],
) {
  const world = new NodeServer();
  world.nodes = initial;
  const server = new ScriptedApiServer((request, response) => world.answer(request, response));
  await server.start();
  const client = createKubeClient(server.connection);
  const logged: string[] = [];
  const informer = createInformer(
    client,
    { resource: nodes, ...given },
    {
      clock: systemClock,
      logger: createLogger((line) => logged.push(line), 'debug'),
      backoff: { initialMs: 1, maxMs: 5 },
    },
  );
  const events: InformerEvent<Node>[] = [];
  let changed = Promise.withResolvers<void>();
  informer.onChange((event) => {
    events.push(event);
    changed.resolve();
    changed = Promise.withResolvers<void>();
  });
  return {
    world,
    server,
    informer,
    events,
    logged,
    /** Waits until `count` events arrived in all and gives them in short. */
    async seen(count: number): Promise<string[]> {
      while (events.length < count) await changed.promise;
      return events.map(short);
    },
    async [Symbol.asyncDispose]() {
      await informer.stop();
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function short({ key, before, after }: InformerEvent<Node>): string {
  const version = (object?: Node) => object?.metadata?.resourceVersion ?? '-';
  return `${key} ${version(before)}→${version(after)}`;
}

test('the list and then every change reach handlers and cache', async () => {
  await using kit = await follow();
  assert.equal(kit.informer.synced, false);
  await kit.informer.start();
  assert.equal(kit.informer.synced, true);
  await kit.world.watched();
  kit.world.send('ADDED', node('c', '11'));
  kit.world.send('MODIFIED', node('a', '12'));
  kit.world.send('DELETED', node('b', '13'));
  const want = ['a -→1', 'b -→2', 'c -→11', 'a 1→12', 'b 2→-'];
  assert.deepEqual(await kit.seen(5), want);
  assert.deepEqual(
    kit.informer
      .list()
      .map((item) => item.metadata?.name)
      .sort(),
    ['a', 'c'],
  );
  assert.equal(kit.informer.get('a')?.metadata?.resourceVersion, '12');
  const late: string[] = [];
  kit.informer.onChange((event) => late.push(short(event)))[Symbol.dispose]();
  assert.deepEqual(late.sort(compareBytes), ['a -→12', 'c -→11']);
  assert.deepEqual(kit.world.watchedFrom, ['10']);
});

test('a watch that ends is resumed from the last event or bookmark, without a list', async () => {
  await using kit = await follow();
  await kit.informer.start();
  await kit.world.watched();
  kit.world.send('MODIFIED', node('a', '11'));
  await kit.seen(3);
  kit.world.end('broken');
  await kit.world.watched();
  kit.world.send('BOOKMARK', { kind: 'Node', metadata: { resourceVersion: '40' } });
  kit.world.end('cleanly');
  await kit.world.watched();
  assert.deepEqual(kit.world.watchedFrom, ['10', '11', '40']);
  assert.equal(kit.world.lists, 1);
});

test('after 410 the difference is published, deletions included', async () => {
  const table = [
    {
      name: 'refused at once',
      gone: (world: NodeServer) => {
        world.refuseWatches = (response) => {
          world.refuseWatches = undefined;
          answerStatus(response, 410, 'Expired');
        };
        world.end('broken');
      },
    },
    {
      name: 'told in the watch',
      gone: (world: NodeServer) => world.send('ERROR', { kind: 'Status', code: 410 }),
    },
    {
      name: 'revision unknown after a restore',
      gone: (world: NodeServer) =>
        world.send('ERROR', {
          kind: 'Status',
          code: 504,
          details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
        }),
    },
  ];
  for (const { name, gone } of table) {
    await using kit = await follow();
    await kit.informer.start();
    await kit.world.watched();
    kit.world.nodes = [node('a', '1'), node('c', '21')];
    kit.world.revision = '30';
    gone(kit.world);
    assert.deepEqual(await kit.seen(4), ['a -→1', 'b -→2', 'c -→21', 'b 2→-'], name);
    assert.equal(kit.world.lists, 2, name);
  }
});

test('overload and refused credentials do not cause a list', async () => {
  for (const code of [401, 403, 429, 500, 503]) {
    await using kit = await follow();
    await kit.informer.start();
    await kit.world.watched();
    let refusals = 0;
    kit.world.refuseWatches = (response) => {
      refusals += 1;
      if (refusals === 3) kit.world.refuseWatches = undefined;
      answerStatus(response, code, 'Refused');
    };
    kit.world.end('broken');
    await kit.world.watched();
    assert.equal(kit.world.lists, 1, String(code));
  }
});

test('what nobody reads is dropped before it is cached', async () => {
  const heavy = node('a', '1');
  const withFields = { ...heavy, metadata: { ...heavy.metadata, managedFields: [{}] } };
  await using kit = await follow({ transform: ({ status: _dropped, ...rest }) => rest }, [
    { ...withFields, status: { capacity: { cpu: '1' } } },
  ]);
  await kit.informer.start();
  assert.deepEqual(kit.informer.get('a'), heavy);
  await kit.world.watched();
  kit.world.send('MODIFIED', {
    ...withFields,
    metadata: { ...withFields.metadata, resourceVersion: '2' },
    status: {},
  });
  await kit.seen(2);
  assert.deepEqual(kit.informer.get('a'), node('a', '2'));
});

test('indexes follow the objects', async () => {
  const indexes = { pool: (object: Node) => Object.values(object.metadata?.labels ?? {}) };
  await using kit = await follow({ indexes }, [
    node('a', '1', { pool: 'x' }),
    node('b', '2', { pool: 'x' }),
  ]);
  await kit.informer.start();
  await kit.world.watched();
  const names = (value: string) =>
    kit.informer.byIndex('pool', value).map((object) => object.metadata?.name);
  assert.deepEqual(names('x'), ['a', 'b']);
  kit.world.send('MODIFIED', node('a', '3', { pool: 'y' }));
  kit.world.send('DELETED', node('b', '4', { pool: 'x' }));
  await kit.seen(4);
  assert.deepEqual([names('x'), names('y')], [[], ['a']]);
  assert.throws(() => kit.informer.byIndex('colour', 'red'), BugError);
});

test('a handler that throws is logged and harms nobody', async () => {
  await using kit = await follow();
  kit.informer.onChange(() => {
    throw new Error('broken handler');
  });
  await kit.informer.start();
  await kit.world.watched();
  kit.world.send('MODIFIED', node('a', '11'));
  await kit.seen(3);
  assert.equal(kit.logged.filter((line) => line.includes('informer handler failed')).length, 3);
});

test('start waits through failures; stop and an aborted signal end the waiting', async () => {
  const kit = await follow();
  let failures = 0;
  kit.server.answerWith((request, response) => {
    failures += 1;
    if (failures < 4) answerStatus(response, 500, 'Starting');
    else kit.world.answer(request, response);
  });
  await kit.informer.start();
  assert.ok(failures >= 4);
  await kit[Symbol.asyncDispose]();

  for (const how of ['stop', 'abort'] as const) {
    await using waiting = await follow();
    const asked = Promise.withResolvers<void>();
    waiting.server.answerWith(() => asked.resolve());
    const aborting = new AbortController();
    const started = waiting.informer.start(aborting.signal);
    started.catch(() => undefined);
    await asked.promise;
    if (how === 'stop') await waiting.informer.stop();
    else aborting.abort(new Error('enough'));
    await assert.rejects(started, how === 'stop' ? /stopped/ : /enough/);
    await waiting.informer.stop();
  }
});
