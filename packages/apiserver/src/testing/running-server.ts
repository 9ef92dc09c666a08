import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, silentLogger, systemClock } from '@slipway/base';
import {
  type CertificateAndKey,
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';
import { type ApiServer, createApiServer } from '../server.ts';

/** An answer, decoded. */
export type Reply = {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into arbitrary answers
  readonly json: any;
};

export type CallOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
};

/** Lines of a watch, parsed as they come. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into arbitrary events
export type WatchLines = AsyncIterable<any> & { close(): void };

const validity = { now: Date.now(), validityMs: 30 * dayMs };
const authority = await createCertificateAuthority({ commonName: 'kubernetes', validity });
const serving = await issueCertificate(authority, {
  subject: { commonName: 'kube-apiserver' },
  usages: ['server'],
  validity,
  ipAddresses: ['127.0.0.1'],
});
const admin = await clientCertificate('admin', ['system:masters']);

/** A client certificate of the test authority. */
export function clientCertificate(
  commonName: string,
  organizations: readonly string[],
): Promise<CertificateAndKey> {
  const subject = { commonName, organizations };
  return issueCertificate(authority, { subject, usages: ['client'], validity });
}

function keyPem({ key }: CertificateAndKey): string {
  const encoded = encodePrivateKey(key);
  return typeof encoded === 'string' ? encoded : encoded.reveal();
}

/** A real server on a free port, with its own folder. */
export class RunningServer implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'apiserver-'));
  readonly #clock: Clock;
  #server: ApiServer;
  readonly #agents: Agent[] = [];

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.#server = this.#create();
  }

  static async start(clock: Clock = systemClock): Promise<RunningServer> {
    const running = new RunningServer(clock);
    await running.#server.start();
    return running;
  }

  #create(): ApiServer {
    return createApiServer({
      dataDirectory: this.folder,
      port: 0,
      serving: { certificatePem: serving.certificatePem, keyPem: keyPem(serving) },
      certificateAuthority: authority,
      clock: this.#clock,
      logger: silentLogger,
    });
  }

  get url(): string {
    return this.#server.url;
  }

  /** Stops; what clients have open ends by itself. */
  async stop(): Promise<void> {
    await this.#server.stop();
  }

  /** Stops and starts over the same folder. */
  async restart(): Promise<void> {
    await this.#server.stop();
    this.#server = this.#create();
    await this.#server.start();
  }

  /** TLS settings of the administrator, or of another certificate; null: none. */
  #agent(identity: CertificateAndKey | null): Agent {
    const own = identity === null ? {} : { cert: identity.certificatePem, key: keyPem(identity) };
    const agent = new Agent({ ca: authority.certificatePem, keepAlive: true, ...own });
    this.#agents.push(agent);
    return agent;
  }

  /** A way to call the server as somebody; default: the administrator. */
  client(identity: CertificateAndKey | null = admin): Client {
    return new Client(() => this.url, this.#agent(identity));
  }

  /** A kubeconfig of the administrator, as JSON. */
  kubeconfig(): string {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'c',
          cluster: {
            server: this.url,
            'certificate-authority-data': base64(authority.certificatePem),
          },
        },
      ],
      users: [
        {
          name: 'u',
          user: {
            'client-certificate-data': base64(admin.certificatePem),
            'client-key-data': base64(keyPem(admin)),
          },
        },
      ],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    for (const agent of this.#agents) agent.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Calls by method and path. */
export class Client {
  readonly #url: () => string;
  readonly #agent: Agent;

  constructor(url: () => string, agent: Agent) {
    this.#url = url;
    this.#agent = agent;
  }

  #open(method: string, path: string, headers: Readonly<Record<string, string>>) {
    return request(`${this.#url()}${path}`, { method, agent: this.#agent, headers });
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Reply> {
    const type = options.contentType ?? 'application/json';
    const raw = typeof body === 'string' || Buffer.isBuffer(body);
    const bytes =
      body === undefined ? Buffer.alloc(0) : Buffer.from(raw ? body : JSON.stringify(body));
    const described = { 'content-type': type, 'content-length': String(bytes.length) };
    const headers = { ...(body === undefined ? {} : described), ...options.headers };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      this.#open(method, path, headers).on('response', resolve).on('error', reject).end(bytes);
    });
    let answer = '';
    for await (const chunk of response.setEncoding('utf8')) answer += chunk;
    let json: unknown;
    try {
      json = JSON.parse(answer);
    } catch {
      json = undefined;
    }
    return { code: response.statusCode ?? 0, headers: response.headers, text: answer, json };
  }

  /** Opens a watch; the lines are kept until they are asked for. */
  async watch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<WatchLines> {
    const outgoing = this.#open('GET', path, headers);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject).end();
    });
    async function* lines() {
      let rest = '';
      for await (const chunk of response.setEncoding('utf8')) {
        const parts = `${rest}${chunk}`.split('\n');
        rest = parts.pop() ?? '';
        for (const part of parts) yield JSON.parse(part);
      }
    }
    const iterator = lines();
    return {
      [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }),
      close: () => outgoing.destroy(),
    };
  }
}

/** The next `count` events of a watch, as `TYPE name`. */
export async function take(watch: WatchLines, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  if (count === 0) return seen;
  for await (const { type, object } of watch) {
    seen.push(type === 'BOOKMARK' ? type : `${type} ${object.metadata?.name ?? object.reason}`);
    if (seen.length === count) break;
  }
  return seen;
}
