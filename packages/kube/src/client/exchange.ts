import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  type Clock,
  describeError,
  SlipwayError,
  TerminalError,
  TransientError,
} from '@slipway/base';
import type { Target } from './connection.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: { readonly text: string; readonly contentType: string };
  readonly signal?: AbortSignal;
  /** Until the headers of the answer are here, and for the whole answer where it is read at once. */
  readonly timeoutMs: number;
};

/** One request under way. */
export type Exchange = {
  readonly response: IncomingMessage;
  /** Ends it with `reason`; reading the response then fails with that. */
  cancel(reason: Error): void;
  /** Stops the timer of the request: what follows has its own notion of time. */
  stopTimer(): void;
  /** To be called when the answer is read or no longer wanted. */
  release(): void;
};

/** `GET /api/v1/nodes`: how a request is named in errors, without its query. */
export function nameRequest(request: Pick<HttpRequest, 'method' | 'path'>): string {
  return `${request.method} ${request.path.split('?', 1)[0] ?? ''}`;
}

/** An error of the runtime as one of ours; an aborted signal's reason and our own errors stay as they are. */
export function connectionError(error: unknown, request: HttpRequest): unknown {
  if (request.signal?.aborted) return request.signal.reason;
  if (error instanceof SlipwayError) return error;
  return new TransientError(`${nameRequest(request)}: ${describeError(error)}`, {
    code: 'kube.connection',
    cause: error,
  });
}

export type ExchangeOptions = {
  readonly clock: Clock;
  readonly userAgent: string;
  /** Aborted when the client closes; its reason is the error of what is then under way. */
  readonly closing: AbortSignal;
};

/** Sends a request; resolves when the headers of the answer are here. */
export function openExchange(
  target: Target,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    options.closing.throwIfAborted();
    request.signal?.throwIfAborted();
    const outgoing = httpsRequest({
      agent: target.agent,
      host: target.host,
      port: target.port,
      method: request.method,
      path: `${target.prefix}${request.path}`,
      headers: headersOf(target, request, options.userAgent),
    });
    let response: IncomingMessage | undefined;
    const cancel = (reason: Error) => {
      (response ?? outgoing).destroy(reason);
    };
    const guard = startGuard(request, options, cancel);
    outgoing.on('response', (incoming) => {
      response = incoming;
      // Readers see errors through iteration; without a listener a late one would end the process.
      incoming.on('error', () => undefined);
      incoming.on('close', guard.release);
      resolve({ response: incoming, cancel, ...guard });
    });
    outgoing.on('error', (error) => {
      guard.release();
      reject(isStaleSocket(error, outgoing) ? new StaleSocketError(error) : error);
    });
    outgoing.end(request.body?.text);
  });
}

/** The server closed a kept-alive connection at the moment it was used again; nothing was answered. */
export class StaleSocketError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'StaleSocketError';
  }
}

function isStaleSocket(error: Error & { code?: string }, outgoing: ClientRequest): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function startGuard(
  request: HttpRequest,
  { clock, closing }: ExchangeOptions,
  cancel: (reason: Error) => void,
): Pick<Exchange, 'release' | 'stopTimer'> {
  const timer = clock.timer(request.timeoutMs, () => {
    const message = `${nameRequest(request)}: no answer within ${request.timeoutMs} ms`;
    cancel(new TransientError(message, { code: 'kube.timeout' }));
  });
  const abort = () => cancel(new Error('aborted'));
  const close = () => cancel(closing.reason);
  request.signal?.addEventListener('abort', abort, { once: true });
  closing.addEventListener('abort', close, { once: true });
  const stopTimer = () => timer[Symbol.dispose]();
  return {
    stopTimer,
    release() {
      stopTimer();
      request.signal?.removeEventListener('abort', abort);
      closing.removeEventListener('abort', close);
    },
  };
}

function headersOf(
  target: Target,
  request: HttpRequest,
  userAgent: string,
): Record<string, string | number> {
  const { body } = request;
  return {
    Accept: 'application/json',
    'User-Agent': userAgent,
    ...(target.authorization === undefined ? {} : { Authorization: target.authorization }),
    ...(body === undefined
      ? {}
      : { 'Content-Type': body.contentType, 'Content-Length': Buffer.byteLength(body.text) }),
  };
}

/** The whole body as text; more than `maxBytes` is refused. */
export async function readBody(
  exchange: Exchange,
  request: HttpRequest,
  maxBytes: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of exchange.response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new TerminalError(`${nameRequest(request)}: the answer exceeds ${maxBytes} bytes`, {
        code: 'kube.response-too-large',
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}
