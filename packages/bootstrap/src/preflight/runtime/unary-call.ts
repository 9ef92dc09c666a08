import { type ClientHttp2Stream, connect as connectHttp } from 'node:http2';
import { connect } from 'node:net';
import { TransientError } from '@slipway/base';
import type { BootstrapErrorCode } from '../../errors.ts';
import { type CallResult, frameRequest, type ResponseParts, readAnswer } from './grpc-answer.ts';

export type UnaryCall = {
  /** Path of the unix socket. */
  readonly socket: string;
  /** `/runtime.v1.RuntimeService/Version`. */
  readonly method: string;
  readonly request: Uint8Array;
  readonly timeoutMs: number;
};

/** Of the kubelet: no answer of a runtime that works is larger. */
const largestAnswer = 16 * 1024 * 1024;

/**
 * One call of gRPC over a unix socket: HTTP/2 with a length before the message, the status in the
 * trailers. Source: the protocol "gRPC over HTTP2". Whatever listens there, the call ends within
 * `timeoutMs`.
 * @throws TransientError `bootstrap.preflight.runtime` when nobody answers, or not as gRPC does
 */
export function callUnary(call: UnaryCall): Promise<CallResult> {
  const { socket, method, request, timeoutMs } = call;
  return new Promise((resolve, reject) => {
    // A path in an object: a bare text of digits would be a port.
    const session = connectHttp('http://localhost', {
      createConnection: () => connect({ path: socket }),
    });
    const fail = (reason: string, cause?: unknown) => {
      clearTimeout(timer);
      session.destroy();
      reject(unanswered(socket, reason, cause));
    };
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    session.on('error', (error) => fail(reasonOf(error), error));
    const stream = session.request({
      ':method': 'POST',
      ':path': method,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    collect(stream, {
      fail,
      finish: (parts) => {
        try {
          const result = readAnswer(parts);
          clearTimeout(timer);
          session.close();
          resolve(result);
        } catch (error) {
          fail(reasonOf(error), error);
        }
      },
    });
    stream.end(frameRequest(request));
  });
}

type Outcome = {
  readonly fail: (reason: string, cause?: unknown) => void;
  readonly finish: (parts: ResponseParts) => void;
};

/** Gathers what comes until the stream ends, in whatever way it ends. */
function collect(stream: ClientHttp2Stream, { fail, finish }: Outcome): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let headers: ResponseParts['headers'] = {};
  const note = (more: ResponseParts['headers']) => {
    headers = { ...headers, ...more };
  };
  // A call without an answer has its status in the headers.
  stream.on('response', note);
  stream.on('trailers', note);
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largestAnswer) fail(`the answer is larger than ${largestAnswer} bytes`);
    else chunks.push(chunk);
  });
  stream.on('error', (error) => fail(reasonOf(error), error));
  // An end may be that of a stream that was reset, which its error tells before it closes.
  stream.on('close', () => finish({ headers, body: Buffer.concat(chunks) }));
}

function reasonOf(error: unknown): string {
  const root = rootOf(error);
  if (!(root instanceof Error)) return String(root);
  const hint = 'code' in root ? hints[String(root.code)] : undefined;
  return hint === undefined ? root.message : `${root.message} (${hint})`;
}

/** What a system call says of a socket, in other words. */
const hints: Readonly<Record<string, string>> = {
  ENOENT:
    'there is no such socket: the container runtime is not installed, not started or elsewhere',
  ECONNREFUSED: 'nothing listens there, or it is no socket: the container runtime is not started',
  EACCES: 'the socket is of another user: root is needed',
};

/** A stream that never began only says so; why is its cause. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function unanswered(socket: string, reason: string, error?: unknown): TransientError {
  const code: BootstrapErrorCode = 'bootstrap.preflight.runtime';
  const cause = rootOf(error);
  return new TransientError(`ask container runtime at ${socket}: ${reason}`, { code, cause });
}
