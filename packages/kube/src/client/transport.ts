import { type Clock, type SlipwayError, TransientError } from '@slipway/base';
import { ApiError, toApiFailure } from '../errors.ts';
import type { Connection, Target } from './connection.ts';
import {
  connectionError,
  type Exchange,
  type HttpRequest,
  nameRequest,
  openExchange,
  readBody,
  StaleSocketError,
} from './exchange.ts';

export type TransportOptions = {
  readonly clock: Clock;
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
};

/** A request with the transport's own time-out unless it brings one. */
export type TransportRequest = Omit<HttpRequest, 'timeoutMs'> & {
  readonly timeoutMs?: number;
  /** False: a 429 is an answer, not a request to wait. Default true. */
  readonly retry?: boolean;
};

/** Requests over one connection: waiting when asked to, answers as JSON, failures as `ApiError`. */
export interface Transport {
  /** The JSON of a successful answer. */
  json(request: TransportRequest): Promise<unknown>;
  /** Status and text of any answer. */
  text(request: TransportRequest): Promise<{ readonly status: number; readonly body: string }>;
  /** A successful answer to be read bit by bit; its timer is off. */
  stream(request: TransportRequest): Promise<Exchange>;
  close(): void;
}

/** A server that is overloaded says for how long; beyond these bounds the caller decides. */
const maxRetries = 5;
const maxRetryAfterMs = 30_000;

export function createTransport(connection: Connection, options: TransportOptions): Transport {
  return new HttpsTransport(connection, options);
}

class HttpsTransport implements Transport {
  readonly #connection: Connection;
  readonly #options: TransportOptions;
  readonly #closing = new AbortController();

  constructor(connection: Connection, options: TransportOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async json(request: TransportRequest): Promise<unknown> {
    const full = this.#complete(request);
    const { status, body } = await this.#patiently(request, () => this.#readOnce(full));
    return parseJson(body, full, status);
  }

  text(request: TransportRequest): Promise<{ status: number; body: string }> {
    return this.#readOnce(this.#complete(request), true);
  }

  stream(request: TransportRequest): Promise<Exchange> {
    const full = this.#complete(request);
    return this.#patiently(request, () => this.#streamOnce(full));
  }

  close(): void {
    const reason = new TransientError('use client: it is closed', { code: 'kube.closed' });
    this.#closing.abort(reason);
    this.#connection.close();
  }

  #complete(request: TransportRequest): HttpRequest {
    return { ...request, timeoutMs: request.timeoutMs ?? this.#options.timeoutMs };
  }

  async #patiently<T>(request: TransportRequest, once: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once();
      } catch (error) {
        const waitMs = request.retry === false ? undefined : requestedWaitMs(error);
        if (waitMs === undefined || attempt >= maxRetries) throw error;
        await this.#wait(waitMs, request.signal);
      }
    }
  }

  async #wait(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const signals = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    await this.#options.clock.sleep(waitMs, AbortSignal.any(signals));
  }

  async #readOnce(request: HttpRequest, anyStatus = false) {
    const exchange = await this.#open(request);
    try {
      const body = await readBody(exchange, request, this.#options.maxResponseBytes);
      const status = exchange.response.statusCode ?? 0;
      if (anyStatus || isSuccess(status)) return { status, body };
      throw failureOf(exchange, request, body);
    } catch (error) {
      throw connectionError(error, request);
    } finally {
      exchange.release();
    }
  }

  async #streamOnce(request: HttpRequest): Promise<Exchange> {
    const exchange = await this.#open(request);
    const status = exchange.response.statusCode ?? 0;
    if (isSuccess(status)) {
      exchange.stopTimer();
      return exchange;
    }
    try {
      throw failureOf(
        exchange,
        request,
        await readBody(exchange, request, this.#options.maxResponseBytes),
      );
    } catch (error) {
      throw connectionError(error, request);
    } finally {
      exchange.release();
    }
  }

  async #open(request: HttpRequest): Promise<Exchange> {
    try {
      this.#closing.signal.throwIfAborted();
      return await this.#openLive(await this.#connection.current(), request);
    } catch (error) {
      throw connectionError(error, request);
    }
  }

  /**
   * A read whose kept-alive connection had just been closed by the server is sent again. Ends by itself:
   * each try uses up one such connection, and a new one is never stale.
   */
  async #openLive(target: Target, request: HttpRequest): Promise<Exchange> {
    for (;;) {
      try {
        const options = { ...this.#options, closing: this.#closing.signal };
        return await openExchange(target, request, options);
      } catch (error) {
        if (!(error instanceof StaleSocketError) || request.method !== 'GET') throw error;
      }
    }
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function requestedWaitMs(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.retryAfterMs === undefined) return undefined;
  const { code } = error.status;
  if (code !== 429 && code !== 503) return undefined;
  return error.retryAfterMs <= maxRetryAfterMs ? error.retryAfterMs : undefined;
}

function failureOf(exchange: Exchange, request: HttpRequest, body: string): SlipwayError {
  const { statusCode = 0, headers } = exchange.response;
  const header = headers['retry-after'];
  const seconds = header === undefined ? Number.NaN : Number(header);
  const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
  return new ApiError(nameRequest(request), toApiFailure(statusCode, body), retryAfterMs);
}

function parseJson(body: string, request: HttpRequest, status: number): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new TransientError(`${nameRequest(request)}: the answer ${status} is not JSON`, {
      code: 'kube.bad-response',
      cause: error,
    });
  }
}
