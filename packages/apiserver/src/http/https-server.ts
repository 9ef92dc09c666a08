import { constants } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { UserError } from '@slipway/base';
import { apiserverErrorCodes } from '../errors.ts';

/** What the port shows and trusts; all PEM. */
export type TlsFiles = {
  readonly key: string;
  /** The serving certificate, with its chain. */
  readonly certificate: string;
  /** Signs client certificates. */
  readonly clientCa: string;
};

export type HttpsServerOptions = {
  readonly tls: TlsFiles;
  readonly host: string;
  readonly port: number;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
};

/** Longer than the idle pool of Go clients (90 s), so that it is never the server that hangs up. */
const keepAliveMs = 120_000;
const headersMs = 60_000;

/** One port for HTTP/2 and HTTP/1.1 over TLS ≥ 1.2. */
export class HttpsServer {
  readonly #options: HttpsServerOptions;
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  readonly #responses = new Set<ServerResponse>();
  #quiet: PromiseWithResolvers<void> | undefined;

  constructor(options: HttpsServerOptions) {
    this.#options = options;
    const { tls } = options;
    this.#server = createSecureServer({
      allowHTTP1: true,
      key: tls.key,
      cert: tls.certificate,
      ca: tls.clientCa,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      // A resumed session would show no client certificate.
      secureOptions: constants.SSL_OP_NO_TICKET,
      settings: { maxConcurrentStreams: 250 },
    });
    this.#configure();
  }

  #configure(): void {
    const server = this.#server;
    Object.assign(server, {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      requestTimeout: headersMs,
    });
    server.on('request', (request, response) =>
      this.#serve(request as unknown as IncomingMessage, response as unknown as ServerResponse),
    );
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
    });
    server.on('secureConnection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#responses.add(response);
    response.on('close', () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) this.#quiet?.resolve();
    });
    this.#options.handle(request, response);
  }

  /** Resolves when no answer is on its way any more. */
  quiet(): Promise<void> {
    if (this.#responses.size === 0) return Promise.resolve();
    this.#quiet ??= Promise.withResolvers<void>();
    return this.#quiet.promise;
  }

  /** The port that is listened on. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port;
  }

  /** Listens; throws UserError when the port is taken or not allowed. */
  async listen(): Promise<void> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error) =>
        reject(
          new UserError(`listen on ${host}:${port}`, {
            code: apiserverErrorCodes.listen,
            cause: error,
          }),
        );
      this.#server.once('error', failed);
      this.#server.listen({ host, port, exclusive: true }, () => {
        this.#server.off('error', failed);
        resolve();
      });
    });
  }

  /** Takes no new connections and no new streams. */
  refuse(): void {
    this.#server.close();
    for (const session of this.#sessions) session.close();
  }

  /** Ends what is left, after what was already written. */
  destroy(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroySoon();
  }
}
