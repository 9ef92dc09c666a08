import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodes } from '@slipway/api';
import { NodeWriter } from './node-writer.ts';
import { MemoryClient } from './testkit/memory-client.ts';

async function writerOf(annotations: Readonly<Record<string, string>>) {
  const client = new MemoryClient();
  const node = await client.create(nodes, { metadata: { name: 'n', annotations } });
  const writer = new NodeWriter(client, 'n');
  writer.observe(node);
  client.requests.length = 0;
  return { client, writer };
}

test('what is already so is not written', async () => {
  const { client, writer } = await writerOf({ a: '1' });
  await writer.write({ a: '1', b: null });
  assert.deepEqual(client.requests, []);
});

test('writes follow each other, and each sees the one before', async () => {
  const { client, writer } = await writerOf({});
  await Promise.all([writer.write({ a: '1' }), writer.write({ a: '1' }), writer.write({ a: '2' })]);
  assert.equal(client.requests.length, 2);
  assert.equal(client.peek(nodes, 'n')?.metadata?.annotations?.['a'], '2');
});

test('a failed write is not taken for done, and does not hold up the next', async () => {
  const { client, writer } = await writerOf({});
  client.failure = new Error('broken');
  await assert.rejects(writer.write({ a: '1' }), /broken/);
  client.failure = undefined;
  await writer.write({ a: '1' });
  assert.equal(client.peek(nodes, 'n')?.metadata?.annotations?.['a'], '1');
});
