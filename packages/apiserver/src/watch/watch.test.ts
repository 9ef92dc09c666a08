import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { VirtualClock } from '@slipway/base';
import { type Client, RunningServer, take } from '../testing/running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('watch', () => {
  let server: RunningServer;
  let admin: Client;
  let clock: VirtualClock;
  before(async () => {
    clock = new VirtualClock();
    server = await RunningServer.start(clock);
    admin = server.client();
  });
  after(() => server[Symbol.asyncDispose]());

  async function put(name: string, labels: Record<string, string> = {}): Promise<string> {
    const body = { metadata: { name, labels } };
    const reply = await admin.call('POST', configMaps, body);
    const answer =
      reply.code === 409
        ? await admin.call(
            'PATCH',
            `${configMaps}/${name}`,
            { metadata: { labels } },
            { contentType: 'application/merge-patch+json' },
          )
        : reply;
    assert.ok(answer.code < 300, answer.text);
    return answer.json.metadata.resourceVersion;
  }

  test('from a revision: what happened after it, then what happens', async () => {
    const from = await put('w0');
    await put('w1');
    const watch = await admin.watch(`${configMaps}?watch=true&resourceVersion=${from}`);
    await put('w2');
    await admin.call('DELETE', `${configMaps}/w1`);
    assert.deepEqual(await take(watch, 3), ['ADDED w1', 'ADDED w2', 'DELETED w1']);
    watch.close();
  });

  test('a deletion carries the last state at the revision of the deletion', async () => {
    const from = await put('gone', { a: '1' });
    const watch = await admin.watch(`${configMaps}?watch=true&resourceVersion=${from}`);
    await admin.call('DELETE', `${configMaps}/gone`);
    for await (const { type, object } of watch) {
      assert.equal(type, 'DELETED');
      assert.deepEqual(object.metadata.labels, { a: '1' });
      assert.ok(Number(object.metadata.resourceVersion) > Number(from));
      assert.equal(object.kind, 'ConfigMap');
      break;
    }
    watch.close();
  });

  test('entering a selection is ADDED, leaving it is DELETED', async () => {
    const from = await put('s0');
    const watch = await admin.watch(
      `${configMaps}?watch=true&resourceVersion=${from}&labelSelector=in%3Dyes`,
    );
    await put('s1', { in: 'no' });
    await put('s1', { in: 'yes' });
    await put('s1', { in: 'yes', more: 'x' });
    await put('s1', { in: 'no' });
    assert.deepEqual(await take(watch, 3), ['ADDED s1', 'MODIFIED s1', 'DELETED s1']);
    watch.close();
  });

  test('initial events end with an annotated bookmark', async () => {
    await put('i1', { initial: 'y' });
    const watch = await admin.watch(
      `${configMaps}?watch=true&labelSelector=initial&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    const seen: unknown[] = [];
    for await (const { type, object } of watch) {
      seen.push(type === 'BOOKMARK' ? object.metadata.annotations : object.metadata.name);
      if (type === 'BOOKMARK') break;
    }
    assert.deepEqual(seen, ['i1', { 'k8s.io/initial-events-end': 'true' }]);
    watch.close();
  });

  test('bookmarks come every minute, and before the end', async () => {
    const from = await put('b0');
    const watch = await admin.watch(
      `${configMaps}?watch=true&resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=90`,
    );
    await clock.advance(60_000);
    assert.deepEqual(await take(watch, 1), ['BOOKMARK']);
    await clock.advance(30_000);
    assert.deepEqual(await take(watch, 1), ['BOOKMARK']);
    const rest: unknown[] = [];
    for await (const event of watch) rest.push(event);
    assert.deepEqual(rest, []);
  });

  test('a compacted revision is an ERROR event of an answer 200', async () => {
    const from = await put('old');
    await put('newer');
    await clock.advance(10 * 60_000);
    await put('newest');
    await clock.advance(10 * 60_000);
    const watch = await admin.watch(`${configMaps}?watch=true&resourceVersion=${from}`);
    for await (const { type, object } of watch) {
      assert.equal(type, 'ERROR');
      assert.equal(object.code, 410);
      assert.equal(object.reason, 'Expired');
      assert.match(object.message, /^too old resource version: \d+ \(\d+\)$/);
    }
  });

  test('tables name their columns in the first event only', async () => {
    const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const from = await put('t0');
    const watch = await admin.watch(`${configMaps}?watch=true&resourceVersion=${from}`, accept);
    await put('t1');
    await put('t2');
    const headers: unknown[] = [];
    for await (const { object } of watch) {
      headers.push(object.columnDefinitions?.length ?? null);
      if (headers.length === 2) break;
    }
    assert.deepEqual(headers, [3, null]);
    watch.close();
  });

  test('a watch ends cleanly when the server stops', async () => {
    await using other = await RunningServer.start();
    const watch = await other.client().watch(`${configMaps}?watch=true`);
    const stopped = other.stop();
    const events: unknown[] = [];
    for await (const { type } of watch) events.push(type);
    await stopped;
    assert.ok(!events.includes('ERROR'));
  });
});
