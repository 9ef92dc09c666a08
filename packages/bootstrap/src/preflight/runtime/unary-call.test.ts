import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createContainerRuntime } from './container-runtime.ts';
import { callUnary } from './unary-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-call-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
async function serve(
  server: Server | ReturnType<typeof createHttpServer>,
): Promise<AsyncDisposable & { readonly path: string }> {
  count += 1;
  const path = join(folder, `${count}.sock`);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function httpServer(answer: (stream: ServerHttp2Stream) => void) {
  const server = createHttpServer();
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    answer(stream);
  });
  return server;
}

const grpc = { 'content-type': 'application/grpc' };

function frame(body: Uint8Array, flag = 0, length = body.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, body]);
}

/** A whole answer with `status` in the trailers. */
function answered(body: Buffer, status = '0') {
  return httpServer((stream) => {
    stream.respond(grpc, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
    stream.end(body);
  });
}

/** Refuses with a message as it is on the line. */
function refused(message: string) {
  return httpServer((stream) =>
    stream.respond(
      { ...grpc, 'grpc-status': 2, ...(message === '' ? {} : { 'grpc-message': message }) },
      { endStream: true },
    ),
  );
}

const silent: readonly {
  readonly name: string;
  readonly server: () => Server | ReturnType<typeof createHttpServer>;
  readonly want: RegExp;
}[] = [
  {
    name: 'never answers',
    server: () => httpServer(() => undefined),
    want: /no answer within 300 ms$/,
  },
  {
    name: 'takes the connection and says nothing',
    server: () => createServer(),
    want: /no answer within 300 ms$/,
  },
  {
    name: 'closes at once',
    server: () => createServer((socket) => socket.end()),
    want: /closed|ECONNRESET|EPIPE/,
  },
  {
    name: 'speaks another language',
    server: () => createServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')),
    want: /Protocol error|no answer/,
  },
  {
    name: 'speaks HTTP/1',
    server: () =>
      createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
    want: /Protocol error|closed/,
  },
  {
    name: 'is another server of HTTP/2',
    server: () =>
      httpServer((stream) => {
        stream.respond({ ':status': 404, 'content-type': 'text/html' });
        stream.end('<html>');
      }),
    want: /not that of a container runtime \(HTTP status 404\)$/,
  },
  {
    name: 'closes in the middle of the answer',
    server: () =>
      httpServer((stream) => {
        stream.respond(grpc);
        stream.write(frame(Buffer.from('half'), 0, 100), () => stream.session?.destroy());
      }),
    want: /closed before the answer was complete$/,
  },
  {
    name: 'resets the call',
    server: () =>
      httpServer((stream) => {
        stream.respond(grpc);
        stream.close(2);
      }),
    want: /NGHTTP2_INTERNAL_ERROR|closed before the answer was complete$/,
  },
  {
    name: 'sends no message',
    server: () => answered(Buffer.alloc(0)),
    want: /has no message$/,
  },
  {
    name: 'sends less than it announces',
    server: () => answered(frame(Buffer.from('abc'), 0, 4)),
    want: /has 3 bytes and announces 4$/,
  },
  {
    name: 'sends a compressed message',
    server: () => answered(frame(gzipSync('abc'), 1)),
    want: /is compressed/,
  },
  {
    name: 'sends without end',
    server: () =>
      httpServer((stream) => {
        stream.respond(grpc);
        const more = () => {
          while (!stream.destroyed && stream.write(Buffer.alloc(1024 * 1024)));
        };
        stream.on('drain', more);
        more();
      }),
    want: /larger than 16777216 bytes$/,
  },
  {
    name: 'has a status that is no number',
    server: () => answered(frame(Buffer.alloc(0)), 'fine'),
    want: /closed before|not that of a container runtime/,
  },
];

describe('what listens does not answer as gRPC does', () => {
  for (const { name, server, want } of silent) {
    test(name, async () => {
      await using listening = await serve(server());
      const timeoutMs = want.source.includes('no answer') ? 300 : 20_000;
      const call = { socket: listening.path, method: '/a/b', request: Buffer.of(1), timeoutMs };
      await assert.rejects(callUnary(call), (error: Error & { readonly code?: string }) => {
        assert.equal(error.code, 'bootstrap.preflight.runtime');
        assert.match(error.message, want);
        assert.ok(error.message.startsWith(`ask container runtime at ${listening.path}: `));
        return true;
      });
    });
  }

  const refusedThere = /connect ECONNREFUSED .*nothing listens there, or it is no socket/;
  const places: readonly {
    readonly name: string;
    readonly make: (path: string) => void;
    readonly want: RegExp;
  }[] = [
    { name: 'a file', make: (path) => writeFileSync(path, 'x'), want: refusedThere },
    { name: 'a directory', make: (path) => mkdirSync(path), want: refusedThere },
    { name: 'nothing', make: () => undefined, want: /connect ENOENT .*no such socket/ },
  ];
  for (const { name, make, want } of places) {
    test(`the socket is ${name}`, async () => {
      const socket = join(folder, name.replace(' ', '-'));
      make(socket);
      const call = { socket, method: '/a/b', request: Buffer.of(1), timeoutMs: 20_000 };
      await assert.rejects(callUnary(call), (error: Error) => {
        assert.match(error.message, want);
        // The cause says no more than the message does.
        assert.match(String(error.cause), /^Error: connect E/);
        return true;
      });
    });
  }
});

const messages: readonly { readonly given: string; readonly want: string }[] = [
  { given: 'not%20found: %C3%A9t%C3%A9', want: 'not found: été' },
  { given: '100% sure, %zz and %C3', want: '100% sure, %zz and \uFFFD' },
  { given: 'two%0Alines%0D%0A%1B[31m', want: 'two lines [31m' },
  { given: '', want: '' },
];

describe('a refusal', () => {
  for (const { given, want } of messages) {
    test(`with message "${given}"`, async () => {
      await using listening = await serve(refused(given));
      const result = await callUnary({
        ...{ socket: listening.path, method: '/a/b', request: Buffer.of(1), timeoutMs: 20_000 },
      });
      assert.deepEqual(result, { status: 2, message: want });
    });
  }
});

test('an answer whose message is garbage is a refusal of its call and no crash', async () => {
  // A field of 127 bytes that are not there.
  const garbage = Buffer.of(0x0a, 0x7f, 0x01);
  // Well formed outside, garbage inside.
  const inside = Buffer.of(0x0a, 0x03, ...garbage);
  for (const body of [garbage, inside]) {
    await using listening = await serve(answered(frame(body)));
    const runtime = createContainerRuntime(listening.path);
    for (const ask of [runtime.conditions, runtime.cgroupDriver, runtime.pods]) {
      await assert.rejects(ask, { code: 'bootstrap.preflight.runtime' });
    }
  }
});
