import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Clock, type Component, type Issue, type Logger, TerminalError } from '@slipway/base';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';
import type { OperatorErrorCode } from '../errors.ts';
import { webhookPath } from '../install/apply-webhook.ts';
import { type AdmissionRequest, decodeReview, encodeReview } from './review.ts';

export type WebhookServerOptions = {
  /** Address to listen on; the certificate is made out for it. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Further names that API servers reach it by, such as `slipway.kube-system.svc`. */
  readonly dnsNames?: readonly string[];
  /** Signs the server's certificate; default: one of its own, made at start. */
  readonly authority?: CertificateAuthority;
  readonly judge: (request: AdmissionRequest) => readonly Issue[];
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Objects are bounded by the API server; a review holds two of them. */
const maxBodyBytes = 8 * 1024 * 1024;
/** Made anew at every start; long enough that none expires under a server that just runs. */
const certificateDays = 3650;

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, hence not a review: answered as such.
    return undefined;
  }
}

function answer(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function isIpAddress(host: string): boolean {
  return /^[0-9.]+$|:/.test(host);
}

/** The HTTPS endpoint that API servers ask before they accept objects of our group. */
export class WebhookServer implements Component {
  readonly name = 'admission webhook';
  readonly #options: WebhookServerOptions;
  #server: Server | undefined;
  #caPem = '';

  constructor(options: WebhookServerOptions) {
    this.#options = options;
  }

  /** Where it listens, once started: `https://127.0.0.1:9443`. */
  get url(): string {
    const { host } = this.#options;
    return `https://${host.includes(':') ? `[${host}]` : host}:${this.port}`;
  }

  get port(): number {
    const address = this.#server?.address() as AddressInfo | null | undefined;
    return address?.port ?? this.#options.port;
  }

  /** Certificate of the authority that clients have to trust, once started. */
  get caPem(): string {
    return this.#caPem;
  }

  async start(): Promise<void> {
    const { cert, key, caPem } = await this.#certificate();
    this.#caPem = caPem;
    const server = createServer({ cert, key, minVersion: 'TLSv1.2' }, (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.#options.logger.error('admission request failed', { error });
        if (!response.headersSent) answer(response, 500, { message: 'internal error' });
      });
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const code: OperatorErrorCode = 'operator.webhook-listen';
        reject(new TerminalError(`listen on ${this.url}: ${cause.message}`, { code, cause }));
      });
      server.listen(this.#options.port, this.#options.host, resolve);
    });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || !server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  async #certificate() {
    const { clock, dnsNames = [], host } = this.#options;
    const validity = { now: clock.now(), validityMs: certificateDays * dayMs };
    const authority =
      this.#options.authority ??
      (await createCertificateAuthority({ commonName: 'slipway-webhook-ca', validity }));
    const byAddress = isIpAddress(host);
    const { certificatePem, key } = await issueCertificate(authority, {
      subject: { commonName: 'slipway-webhook' },
      usages: ['server'],
      validity,
      ipAddresses: byAddress ? [host] : [],
      dnsNames: [...(byAddress ? [] : [host]), ...dnsNames],
    });
    return {
      cert: certificatePem,
      key: encodePrivateKey(key).reveal(),
      caPem: authority.certificatePem,
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0];
    if (path === '/healthz') return answer(response, 200, { status: 'ok' });
    if (path !== webhookPath || request.method !== 'POST')
      return answer(response, 404, { message: 'not found' });
    const body = await readBody(request);
    if (body === undefined) return answer(response, 413, { message: 'the review is too large' });
    const review = decodeReview(parseJson(body));
    if (review === undefined) return answer(response, 400, { message: 'not an AdmissionReview' });
    return answer(response, 200, encodeReview(review.uid, this.#options.judge(review)));
  }
}
