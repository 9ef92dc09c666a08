import type { KubeObject, Status } from '@slipway/api';
import { type Clock, isJsonObject, TransientError } from '@slipway/base';
import { ApiError } from '../errors.ts';
import { connectionError, type Exchange, type HttpRequest, nameRequest } from './exchange.ts';
import type { WatchEvent } from './kube-client.ts';
import { LineSplitter } from './line-splitter.ts';

export type WatchStreamOptions = {
  readonly clock: Clock;
  readonly idleTimeoutMs: number;
  readonly maxLineBytes: number;
};

/**
 * The events of an open watch. Ends when the server ends it; throws `ApiError` for an ERROR event and
 * `TransientError` when the connection breaks or stays silent. Time spent by the consumer is not idle time.
 */
export async function* readWatch<T extends KubeObject>(
  exchange: Exchange,
  request: HttpRequest,
  options: WatchStreamOptions,
): AsyncGenerator<WatchEvent<T>> {
  const lines = new LineSplitter(options.maxLineBytes);
  try {
    for await (const chunk of chunksWithin(exchange, request, options)) {
      for (const line of lines.push(chunk)) yield decodeEvent<T>(line, request);
    }
    if (lines.pendingBytes > 0) throw badLine(request, 'the last line is cut');
  } catch (error) {
    throw connectionError(error, request);
  } finally {
    exchange.release();
    exchange.response.destroy();
  }
}

async function* chunksWithin(
  exchange: Exchange,
  request: HttpRequest,
  { clock, idleTimeoutMs }: WatchStreamOptions,
): AsyncGenerator<Buffer> {
  const chunks = (exchange.response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    using _timer = clock.timer(idleTimeoutMs, () => {
      const message = `watch ${nameRequest(request)}: nothing received for ${idleTimeoutMs} ms`;
      exchange.cancel(new TransientError(message, { code: 'kube.watch-idle' }));
    });
    const next = await chunks.next();
    if (next.done) return;
    _timer[Symbol.dispose]();
    yield next.value;
  }
}

function decodeEvent<T extends KubeObject>(line: string, request: HttpRequest): WatchEvent<T> {
  const event = parseEvent(line, request);
  const object = event.object as T;
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event.type, object };
    case 'BOOKMARK':
      return { type: 'BOOKMARK', resourceVersion: object.metadata?.resourceVersion ?? '' };
    case 'ERROR': {
      const status = event.object as Status;
      throw new ApiError(`watch ${nameRequest(request)}`, { ...status, code: status.code ?? 500 });
    }
    default:
      throw badLine(request, `unknown event type ${JSON.stringify(event.type)}`);
  }
}

function parseEvent(line: string, request: HttpRequest): { type: unknown; object: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw badLine(request, 'a line is not JSON', error);
  }
  if (!isJsonObject(value) || !isJsonObject(value['object'])) {
    throw badLine(request, 'a line is not a watch event');
  }
  return { type: value['type'], object: value['object'] };
}

function badLine(request: HttpRequest, what: string, cause?: unknown): TransientError {
  return new TransientError(`watch ${nameRequest(request)}: ${what}`, {
    code: 'kube.bad-response',
    cause,
  });
}
