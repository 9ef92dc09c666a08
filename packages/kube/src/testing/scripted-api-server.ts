import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Secret } from '@slipway/base';
import type { ConnectionConfig } from '../client/connection-config.ts';

/** One request as the server saw it. */
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Common name of the client certificate; empty without one. */
  readonly clientName: string;
};

export type Answer = (request: SeenRequest, response: ServerResponse) => void;

/**
 * A real https server that answers as a test tells it to. Its certificates (testdata/, by openssl, valid
 * for 100 years, for localhost and 127.0.0.1) prove nothing to anybody else.
 */
export class ScriptedApiServer {
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();
  #answer: Answer;

  constructor(answer: Answer) {
    this.#answer = answer;
    const tls = {
      key: testPem('server-key'),
      cert: testPem('server'),
      ca: testPem('ca'),
      requestCert: true,
      rejectUnauthorized: false,
    };
    this.#server = createServer(tls, (request, response) => void this.#serve(request, response));
  }

  /** Replaces what the server answers from now on. */
  answerWith(answer: Answer): void {
    this.#answer = answer;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get connection(): ConnectionConfig {
    const { port } = this.#server.address() as AddressInfo;
    return {
      server: `https://127.0.0.1:${port}`,
      certificateAuthority: { pem: testPem('ca') },
      clientCertificate: { pem: testPem('client') },
      clientKey: { secret: new Secret(testPem('client-key')) },
    };
  }

  /** Breaks every open answer, as a power cut would. */
  breakConnections(): void {
    for (const response of this.#open) response.destroy();
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.breakConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'https://localhost');
    const seen = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      clientName: clientNameOf(request.socket as TLSSocket),
    };
    this.requests.push(seen);
    this.#answer(seen, response);
  }
}

function clientNameOf(socket: TLSSocket): string {
  // A resumed session carries the name in its session; the certificate object is empty without one.
  const commonName = socket.getPeerCertificate().subject?.CN;
  return Array.isArray(commonName) ? (commonName[0] ?? '') : (commonName ?? '');
}

/** A certificate or key of the test authority. */
export function testPem(name: string): string {
  return readFileSync(new URL(`./testdata/${name}.pem`, import.meta.url), 'utf8');
}

/** Answers with JSON. */
export function answerJson(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with a Status. */
export function answerStatus(
  response: ServerResponse,
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const message = `made up: ${reason}`;
  answerJson(response, code, { kind: 'Status', status: 'Failure', code, reason, message }, headers);
}

/** Writes one watch event. */
export function writeEvent(response: ServerResponse, type: string, object: unknown): void {
  response.write(`${JSON.stringify({ type, object })}\n`);
}
