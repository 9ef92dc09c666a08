import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { createForwarder } from './forwarder.ts';

test('bytes pass in both directions, and stop ends open connections', async () => {
  const server = createServer((socket) => socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const forwarder = createForwarder('127.0.0.2', port);
  await forwarder.start();
  const client = connect({ host: '127.0.0.2', port });
  client.write('hello');
  const [answer] = await once(client, 'data');
  assert.equal(String(answer), 'hello');
  const closed = once(client, 'close');
  await forwarder.stop();
  await closed;
  server.close();
});
