import { connect as connectHttp } from 'node:http2';
import { connect } from 'node:net';
import { TransientError } from '@slipway/base';
import type { BootstrapErrorCode } from '../../errors.ts';

/** How a call ended: with an answer, or with a status of gRPC other than 0. */
export type CallResult =
  | { readonly answer: Uint8Array }
  | { readonly answer?: undefined; readonly status: number; readonly message: string };

export type UnaryCall = {
  /** Path of the unix socket. */
  readonly socket: string;
  /** `/runtime.v1.RuntimeService/Version`. */
  readonly method: string;
  readonly request: Uint8Array;
  readonly timeoutMs: number;
};

/**
 * One call of gRPC over a unix socket: HTTP/2 with a length before the message, the status in the
 * trailers. Source: the protocol "gRPC over HTTP2".
 * @throws TransientError `bootstrap.preflight.runtime` when nobody answers
 */
export function callUnary(call: UnaryCall): Promise<CallResult> {
  const { socket, method, request, timeoutMs } = call;
  return new Promise((resolve, reject) => {
    const session = connectHttp('http://localhost', { createConnection: () => connect(socket) });
    const fail = (reason: string, cause?: unknown) => {
      clearTimeout(timer);
      session.destroy();
      reject(unanswered(socket, reason, cause));
    };
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    session.on('error', (error) => fail(error.message, error));
    const stream = session.request({
      ':method': 'POST',
      ':path': method,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    let status: string | undefined;
    let message = '';
    const note = (headers: Readonly<Record<string, unknown>>) => {
      if (headers['grpc-status'] === undefined) return;
      status = String(headers['grpc-status']);
      message = decodeURIComponent(String(headers['grpc-message'] ?? ''));
    };
    // A call without an answer has its status in the headers.
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A stream that never began says so; why is the cause.
    stream.on('error', ({ message, cause }) =>
      fail(cause instanceof Error ? cause.message : message, cause),
    );
    stream.on('end', () => {
      if (status === undefined) return fail('the answer is not that of a container runtime');
      clearTimeout(timer);
      session.close();
      // Five bytes before the message: not compressed, and its length.
      const answer = Buffer.concat(chunks).subarray(5);
      resolve(status === '0' ? { answer } : { status: Number(status), message });
    });
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(request.length, 1);
    stream.end(Buffer.concat([prefix, request]));
  });
}

function unanswered(socket: string, reason: string, cause?: unknown): TransientError {
  const code: BootstrapErrorCode = 'bootstrap.preflight.runtime';
  return new TransientError(`ask container runtime at ${socket}: ${reason}`, { code, cause });
}
