import { randomUUID } from 'node:crypto';
import { machineConfigurationName } from '@slipway/api';
import {
  backoffDelayMs,
  type Clock,
  type Component,
  type Issue,
  type Logger,
  TransientError,
} from '@slipway/base';
import {
  createEventRecorder,
  createLeaderElection,
  type EventRecorder,
  type KubeClient,
  type LeaderElection,
} from '@slipway/kube';
import { policyDeclared } from '@slipway/machineconfig';
import type { CertificateAuthority } from '@slipway/pki';
import { judge } from './admission/judge.ts';
import type { AdmissionRequest } from './admission/review.ts';
import { WebhookServer } from './admission/webhook-server.ts';
import type { Caches } from './caches.ts';
import type { OperatorErrorCode } from './errors.ts';
import type { WebhookAddress } from './install/apply-webhook.ts';
import type { Happening } from './record-event.ts';
import { Term } from './term.ts';

export type WebhookOptions = {
  /** Address to listen on; the certificate is made out for it. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** How API servers reach the webhook; default: the address it listens on. */
  readonly address?: WebhookAddress;
  /** Further names in the certificate, such as that of a Service. */
  readonly dnsNames?: readonly string[];
  /** Signs the certificate; default: an authority of its own, made at start. */
  readonly authority?: CertificateAuthority;
};

export type LeadershipOptions = {
  /** Namespace of the Lease; default `kube-system`. */
  readonly namespace?: string;
  /** Name of the Lease; default `slipway-operator`. */
  readonly name?: string;
  /** Unique among candidates and restarts; default random. */
  readonly identity?: string;
};

export type OperatorOptions = {
  /** A client with the rights of a cluster administrator. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: no admission webhook; invalid objects are then found by rendering. */
  readonly webhook?: WebhookOptions;
  /** Undefined: there is one operator and it leads at once, as in a process that holds its own server. */
  readonly leadership?: LeadershipOptions;
};

const retryBackoff = { initialMs: 200, maxMs: 15_000 };

/**
 * The operator: admission webhook, installation and controllers. `start` resolves when it leads, all is
 * installed and the controllers run; a candidate beside a leader waits there.
 *
 *   start ──▶ webhook listens ──▶ leads ──▶ installs ──▶ controllers run
 *                                  ▲  lease lost or start failed │
 *                                  └─────────────────────────────┘
 */
export function createOperator(options: OperatorOptions): Component {
  return new Operator(options);
}

class Operator implements Component {
  readonly name = 'operator';
  readonly #options: OperatorOptions;
  readonly #webhook: WebhookServer | undefined;
  readonly #stopping = new AbortController();
  readonly #events: EventRecorder;
  readonly #ready = Promise.withResolvers<void>();
  #election: LeaderElection | undefined;
  #leading: Promise<void> | undefined;
  #caches: Caches | undefined;

  constructor(options: OperatorOptions) {
    this.#options = options;
    const { client, clock, logger, webhook } = options;
    this.#events = createEventRecorder({ client, clock, logger, component: 'slipway-operator' });
    if (webhook !== undefined) {
      const decide = (request: AdmissionRequest) => this.#judge(request);
      this.#webhook = new WebhookServer({ ...webhook, judge: decide, clock, logger });
    }
    // Whoever never calls start does not wait for it either.
    this.#ready.promise.catch(() => undefined);
  }

  async start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const abort = () => this.#ready.reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await this.#webhook?.start();
      await this.#stand();
      await this.#ready.promise;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async stop(): Promise<void> {
    const code: OperatorErrorCode = 'operator.stopped';
    this.#ready.reject(new TransientError('start operator: stopped', { code }));
    this.#stopping.abort();
    await this.#election?.stop();
    await this.#leading;
    await this.#events.stop();
    await this.#webhook?.stop();
  }

  /** Begins to lead at once, or stands for election. */
  async #stand(): Promise<void> {
    const { client, clock, leadership, logger } = this.#options;
    if (leadership === undefined) {
      this.#leading ??= this.#lead(this.#stopping.signal);
      return;
    }
    const { namespace = 'kube-system', name = 'slipway-operator', identity } = leadership;
    this.#election = createLeaderElection({
      client,
      clock,
      logger,
      namespace,
      name,
      identity: identity ?? `slipway_${randomUUID()}`,
      onStartedLeading: (signal) => this.#lead(signal),
    });
    await this.#election.start();
  }

  /** Runs terms until the signal ends it; one that cannot start is tried again. */
  async #lead(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    for (let failures = 0; !signal.aborted; failures += 1) {
      const term = this.#term();
      try {
        await term.start(signal);
        this.#ready.resolve();
        await aborted(signal);
      } catch (error) {
        if (!signal.aborted) {
          const retryAfterMs = backoffDelayMs(failures, retryBackoff);
          logger.warn('operator start failed', { error, retryAfterMs });
          // Only the end of leadership cuts the sleep short, and the loop sees that by itself.
          await clock.sleep(retryAfterMs, signal).catch(() => undefined);
        }
      } finally {
        await term.stop();
      }
    }
  }

  #term(): Term {
    const { client, clock, logger, webhook } = this.#options;
    const server = this.#webhook;
    const registered =
      server === undefined
        ? {}
        : { webhook: { address: webhook?.address ?? { url: server.url }, caPem: server.caPem } };
    return new Term({
      client,
      clock,
      logger,
      recordEvent: (happening) => this.#record(happening),
      ...registered,
      onReady: (caches) => {
        this.#caches = caches;
      },
    });
  }

  #record({ regarding, ...occurrence }: Happening): void {
    const { apiVersion = '', kind = '', metadata } = regarding;
    const { name = '', uid = '' } = metadata ?? {};
    this.#events.record({ apiVersion, kind, name, uid }, occurrence);
  }

  #judge(request: AdmissionRequest): readonly Issue[] {
    const caches = this.#caches;
    return judge(request, {
      policy: policyDeclared(caches?.configurations.get(machineConfigurationName)),
      pools: caches?.pools.list() ?? [],
      machineConfigs: caches?.machineConfigs.list() ?? [],
    });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
