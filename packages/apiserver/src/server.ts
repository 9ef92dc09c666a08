import { join } from 'node:path';
import {
  BugError,
  type Clock,
  type Component,
  describeError,
  type Logger,
  startAll,
  stopAll,
} from '@slipway/base';
import type { CertificateAuthority } from '@slipway/pki';
import type { AdmissionPlugin, LocalAccess, ResourceCatalogue } from './contract.ts';
import { Discovery } from './discovery/discovery.ts';
import { apiserverErrorCodes } from './errors.ts';
import { createExtensions, type Extensions } from './extensions.ts';
import type { Answer } from './http/answer.ts';
import { plainText } from './http/answer.ts';
import { HttpsServer } from './http/https-server.ts';
import { Metrics } from './http/metrics.ts';
import { type HealthCheck, healthAnswer, rootAnswer, versionAnswer } from './http/non-resource.ts';
import { type PathCall, RequestHandler } from './http/request-handler.ts';
import { OpenApi } from './openapi/open-api.ts';
import { builtinKinds } from './registry/builtin-kinds.ts';
import { type CountedCatalogue, createCatalogue } from './registry/catalogue.ts';
import { reviewKinds } from './registry/review-kinds.ts';
import type { Retention } from './storage/history.ts';
import { Store } from './storage/store.ts';
import { dispatch } from './verbs/dispatch.ts';
import { createLocalAccess } from './verbs/local-access.ts';
import { ObjectWriter } from './verbs/object-writer.ts';
import { WatchHub } from './watch/watch-hub.ts';

export type ApiServerOptions = {
  /** Folder of the database file; created when missing. */
  readonly dataDirectory: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** What the port shows: PEM of the certificate with its chain, and of its key. */
  readonly serving: { readonly certificatePem: string; readonly keyPem: string };
  /** Verifies client certificates and signs those that are requested. */
  readonly certificateAuthority: CertificateAuthority;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shown in `/version`; default `0.1.0`. */
  readonly version?: string;
  readonly retention?: Partial<Retention>;
  /** Judge after the server's own. */
  readonly admission?: readonly AdmissionPlugin[];
};

/** The embedded API server. */
export type ApiServer = Component & {
  /** `https://127.0.0.1:6443`; known once it is started. */
  readonly url: string;
  /** In-process access; throws before the start. */
  readonly access: LocalAccess;
  readonly catalogue: ResourceCatalogue;
};

const compactionMs = 60_000;
const drainMs = 10_000;

type Running = {
  readonly store: Store;
  readonly access: LocalAccess;
  readonly catalogue: CountedCatalogue;
  readonly hub: WatchHub;
  readonly extensions: Extensions;
  readonly handler: RequestHandler;
  readonly https: HttpsServer;
};

class EmbeddedApiServer implements ApiServer {
  readonly name = 'api-server';
  readonly #options: ApiServerOptions;
  #running: Running | undefined;
  #compaction: Disposable | undefined;
  #accepting = false;
  #stopping: Promise<void> | undefined;

  constructor(options: ApiServerOptions) {
    this.#options = options;
  }

  get url(): string {
    const { host = '127.0.0.1', port } = this.#options;
    return `https://${host}:${this.#running?.https.port ?? port}`;
  }

  get access(): LocalAccess {
    return this.#required().access;
  }

  get catalogue(): ResourceCatalogue {
    return this.#required().catalogue;
  }

  #required(): Running {
    if (this.#running === undefined) {
      throw new BugError('use API server: it is not started', {
        code: apiserverErrorCodes.notStarted,
      });
    }
    return this.#running;
  }

  async start(): Promise<void> {
    const store = new Store({
      path: join(this.#options.dataDirectory, 'state.db'),
      clock: this.#options.clock,
      ...(this.#options.retention === undefined ? {} : { retention: this.#options.retention }),
    });
    const running = this.#compose(store);
    const { controllers } = running.extensions;
    try {
      await startAll(controllers);
      await running.https.listen().catch(async (error: unknown) => {
        await stopAll(controllers);
        throw error;
      });
    } catch (error) {
      running.hub.close();
      store.close();
      throw error;
    }
    this.#running = running;
    this.#accepting = true;
    this.#scheduleCompaction(store);
    this.#options.logger.info('api server listens', { url: this.url });
  }

  #compose(store: Store): Running {
    const { clock, logger, certificateAuthority } = this.#options;
    const catalogue = createCatalogue([...builtinKinds(clock), ...reviewKinds]);
    const admission: AdmissionPlugin[] = [];
    const writer = new ObjectWriter({ store, clock, admission });
    const access = createLocalAccess(store, writer, catalogue);
    const hub = new WatchHub(store, clock);
    const extensions = createExtensions({
      catalogue,
      access,
      clock,
      logger,
      certificateAuthority,
      clusterInfo: () => this.#clusterInfo(),
    });
    admission.push(...extensions.admission, ...(this.#options.admission ?? []));
    const { authenticator, authorizer } = extensions;
    const services = { store, writer, catalogue, clock, hub, authenticator, authorizer };
    const metrics = metricsOf(store, hub);
    const handler = new RequestHandler({
      catalogue,
      authenticator,
      authorizer,
      logger,
      metrics,
      serve: (verb, call) => dispatch(services, verb, call),
      servePath: this.#pathServer(catalogue, metrics),
    });
    return { store, access, catalogue, hub, extensions, handler, https: this.#https(handler) };
  }

  /** What joining hosts are told; unknown until a free port was found. */
  #clusterInfo() {
    const { certificateAuthority, port } = this.#options;
    if (port === 0 && this.#running === undefined) return undefined;
    return { server: this.url, certificateAuthorityPem: certificateAuthority.certificatePem };
  }

  #https(handler: RequestHandler): HttpsServer {
    const { serving, certificateAuthority, host = '127.0.0.1', port } = this.#options;
    return new HttpsServer({
      tls: {
        key: serving.keyPem,
        certificate: serving.certificatePem,
        clientCa: certificateAuthority.certificatePem,
      },
      host,
      port,
      handle: (request, response) => void handler.handle(request, response),
    });
  }

  #pathServer(catalogue: CountedCatalogue, metrics: Metrics) {
    const discovery = new Discovery(catalogue, () => new URL(this.url).host);
    const openApi = new OpenApi(catalogue);
    const ping: HealthCheck = { name: 'ping', check: () => true };
    const shutdown: HealthCheck = { name: 'shutdown', check: () => this.#accepting };
    const checks = { livez: [ping], healthz: [ping], readyz: [ping, shutdown] };
    const version = versionAnswer(this.#options.version ?? '0.1.0');
    const listed = [
      '/api',
      '/apis',
      '/healthz',
      '/livez',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/readyz',
      '/version',
    ];
    return (call: PathCall): Answer | undefined => {
      if (call.path === '/') return rootAnswer(listed);
      if (call.path === '/version' || call.path === '/version/') return version;
      if (call.path === '/metrics') return plainText(200, metrics.text());
      return (
        healthAnswer(call.path, call.query, checks) ??
        openApi.answer(call) ??
        discovery.answer(call)
      );
    };
  }

  #scheduleCompaction(store: Store): void {
    this.#compaction = this.#options.clock.timer(compactionMs, () => {
      store.compact().catch((error: unknown) => {
        this.#options.logger.warn('compact storage', { cause: describeError(error) });
      });
      this.#scheduleCompaction(store);
    });
  }

  stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return Promise.resolve();
    this.#stopping ??= this.#shutDown(running).finally(() => {
      this.#running = undefined;
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  /** Not ready → no new connections → watches end → short requests finish → controllers → file. */
  async #shutDown(running: Running): Promise<void> {
    this.#accepting = false;
    this.#compaction?.[Symbol.dispose]();
    running.https.refuse();
    running.hub.close();
    await this.#drain(running);
    await stopAll(running.extensions.controllers);
    running.https.destroy();
    running.store.close();
  }

  /** Waits for requests that are being answered, but not for ever. */
  async #drain({ handler, https }: Running): Promise<void> {
    const limit = Promise.withResolvers<void>();
    const timer = this.#options.clock.timer(drainMs, limit.resolve);
    const done = Promise.all([handler.idle(), https.quiet()]);
    await Promise.race([done, limit.promise]);
    timer[Symbol.dispose]();
  }
}

function metricsOf(store: Store, hub: WatchHub): Metrics {
  return new Metrics([
    { name: 'apiserver_longrunning_requests', text: 'Open watches.', read: () => hub.size },
    {
      name: 'apiserver_storage_revision',
      text: 'Newest durable revision.',
      read: () => store.revision,
    },
    {
      name: 'process_resident_memory_bytes',
      text: 'Resident memory.',
      read: () => process.memoryUsage.rss(),
    },
  ]);
}

/**
 * An API server over one database file. `start` throws UserError when the file is locked, newer or the
 * port is taken, TerminalError when the file is damaged.
 */
export function createApiServer(options: ApiServerOptions): ApiServer {
  return new EmbeddedApiServer(options);
}
