import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { askServer } from './ask-server.ts';

const head = 'HTTP/1.1 200 OK\r\nDate: Tue, 01 Dec 2026 12:00:00 GMT\r\n';

/** Writes one byte after the other, for ever. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 5);
  socket.on('close', () => clearInterval(timer));
}

const cases: readonly {
  readonly name: string;
  readonly serve: (socket: Socket) => void;
  readonly maxBytes?: number;
  /** Text of the answer, or why there is none. */
  readonly want: string | RegExp;
}[] = [
  { name: 'says nothing', serve: () => undefined, want: /^no answer within 200 ms$/ },
  { name: 'drips headers', serve: drip, want: /Parse Error|no answer/ },
  {
    name: 'drips a header that does not end',
    serve: (socket) => {
      socket.write(`${head}X-Long: `);
      drip(socket);
    },
    want: /^no answer within 200 ms$/,
  },
  {
    name: 'drips its answer',
    serve: (socket) => {
      socket.write(`${head}\r\n`);
      drip(socket);
    },
    maxBytes: 1000,
    want: /^no answer within 200 ms$/,
  },
  {
    name: 'drips its answer, of which only the headers are wanted',
    serve: (socket) => {
      socket.write(`${head}\r\n`);
      drip(socket);
    },
    want: '',
    maxBytes: 0,
  },
  {
    name: 'answers without an end',
    serve: (socket) => void socket.write(`${head}\r\n${'y'.repeat(100_000)}`),
    maxBytes: 3,
    want: 'yyy',
  },
  {
    name: 'closes at once',
    serve: (socket) => void socket.end(),
    want: /socket hang up|ECONNRESET/,
  },
  {
    name: 'closes in the middle',
    serve: (socket) => void socket.end(`${head}Content-Length: 10\r\n\r\nhalf`),
    want: /aborted|ECONNRESET/,
  },
];

describe('a server that', () => {
  for (const { name, serve, maxBytes = 1000, want } of cases) {
    test(name, async () => {
      const sockets = new Set<Socket>();
      const server = createServer((socket) => {
        sockets.add(socket.on('error', () => undefined));
        socket.once('data', () => serve(socket));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const address = server.address();
        assert.ok(address !== null && typeof address === 'object');
        const url = `http://127.0.0.1:${address.port}/version`;
        const answer = askServer({ url, maxBytes, timeoutMs: 200 });
        if (typeof want === 'string') assert.equal((await answer).text, want);
        else await assert.rejects(answer, { message: want });
      } finally {
        for (const socket of sockets) socket.destroy();
        server.close();
      }
    });
  }

  test('is interrupted', async () => {
    const signal = AbortSignal.abort(new Error('interrupted'));
    const question = { url: 'https://127.0.0.1:1/', maxBytes: 0, timeoutMs: 200, signal };
    await assert.rejects(askServer(question), /abort/i);
  });
});
