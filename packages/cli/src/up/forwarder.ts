import { connect, createServer, type Socket } from 'node:net';
import type { Component } from '@slipway/base';

/** Passes connections on `address:port` to the same port of the loopback interface, bytes unseen. */
export function createForwarder(address: string, port: number): Component {
  const sockets = new Set<Socket>();
  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  }
  const server = createServer((incoming) => {
    const outgoing = connect({ host: '127.0.0.1', port });
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      keep(from);
      // Either end may break at any time; the other end is told by the closing.
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  return {
    name: `forwarder ${address}:${port}`,
    start: () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host: address, port }, resolve);
      }),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
