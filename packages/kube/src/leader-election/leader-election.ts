import { type Clock, type Component, type Logger, TransientError } from '@slipway/base';
import type { KubeClient } from '../client/kube-client.ts';
import { LeaseLock } from './lease-lock.ts';

export type LeaderElectionOptions = {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Of the Lease. */
  readonly name: string;
  /** Unique among candidates and restarts: `host_uuid`. */
  readonly identity: string;
  /**
   * The work of the leader: runs until its signal is aborted, which means that the lease is lost or that
   * the election stops. Another candidate may lead 5 s after the abort (with the defaults).
   */
  readonly onStartedLeading: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** After this long without a renewal others may take over; default 15 000 ms. */
  readonly leaseDurationMs?: number;
  /** A leader that could not renew for this long gives up; default 10 000 ms. */
  readonly renewDeadlineMs?: number;
  /** Between tries; default 2000 ms. */
  readonly retryPeriodMs?: number;
  /** Gives 0..1 for the jitter of candidates. */
  readonly random?: () => number;
};

/** A candidate for leadership. It starts as one of many, and stands again after it lost. */
export interface LeaderElection extends Component {
  readonly isLeader: boolean;
}

/**
 * Elects one leader by a Lease, with client-go's protocol and times.
 *
 *   candidate ── acquired ──▶ leading ── not renewed, taken, work ended ──▶ candidate
 */
export function createLeaderElection(options: LeaderElectionOptions): LeaderElection {
  return new LeaseElection(options);
}

type Settings = Required<LeaderElectionOptions>;

class LeaseElection implements LeaderElection {
  readonly name: string;
  readonly #settings: Settings;
  readonly #logger: Logger;
  readonly #lock: LeaseLock;
  readonly #stopping = new AbortController();
  #leading: boolean = false;
  #running: Promise<void> | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#settings = {
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2000,
      random: Math.random,
      ...options,
    };
    this.name = `leader election ${options.name}`;
    this.#logger = options.logger.child({ lease: options.name, identity: options.identity });
    this.#lock = new LeaseLock(this.#settings);
  }

  get isLeader(): boolean {
    return this.#leading;
  }

  start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#running ??= this.#stand(this.#stopping.signal);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #stand(signal: AbortSignal): Promise<void> {
    const { retryPeriodMs, random } = this.#settings;
    while (!signal.aborted) {
      const heldSince = await this.#try(this.#settings.renewDeadlineMs, signal);
      if (heldSince !== undefined) await this.#lead(heldSince, signal);
      // Spread out: candidates that were started together would collide for ever.
      await this.#pause(retryPeriodMs * (1 + 1.2 * random()), signal);
    }
  }

  /** When the lease was asked for, if it is ours now. The lease is dated by that: an answer may take long. */
  async #try(withinMs: number, signal: AbortSignal): Promise<number | undefined> {
    const { clock } = this.#settings;
    const begun = clock.monotonic();
    try {
      const result = await this.#within(withinMs, signal, (bounded) => this.#lock.acquire(bounded));
      return result === 'held' ? begun : undefined;
    } catch (error) {
      if (!signal.aborted) this.#logger.warn('lease not acquired', { error });
      return undefined;
    }
  }

  async #lead(heldSince: number, signal: AbortSignal): Promise<void> {
    const term = new AbortController();
    this.#leading = true;
    this.#logger.info('leading');
    const work = this.#work(term.signal);
    const ended = new AbortController();
    const endOfWork = work.finally(() => ended.abort());
    await this.#renew(heldSince, AbortSignal.any([signal, ended.signal]));
    this.#leading = false;
    term.abort(
      new TransientError(`lead ${this.#settings.name}: the lease is lost`, {
        code: 'kube.lease-lost',
      }),
    );
    await endOfWork;
    this.#logger.info('no longer leading');
    await this.#release();
  }

  /** Runs the leader's work; what it throws ends the term, not the election. */
  async #work(signal: AbortSignal): Promise<void> {
    try {
      await this.#settings.onStartedLeading(signal);
    } catch (error) {
      if (!signal.aborted) this.#logger.error('work of the leader failed', { error });
    }
  }

  /** Renews until the deadline passed without success, somebody took the lease, or `signal` is aborted. */
  async #renew(heldSince: number, signal: AbortSignal): Promise<void> {
    const { clock, renewDeadlineMs, retryPeriodMs } = this.#settings;
    let renewedAt = heldSince;
    for (;;) {
      const leftMs = renewedAt + renewDeadlineMs - clock.monotonic();
      if (leftMs <= 0) return;
      await this.#pause(Math.min(retryPeriodMs, leftMs), signal);
      const boundMs = renewedAt + renewDeadlineMs - clock.monotonic();
      if (signal.aborted || boundMs <= 0) return;
      const begun = clock.monotonic();
      try {
        const result = await this.#within(boundMs, signal, (s) => this.#lock.acquire(s));
        if (result === 'taken') return;
        renewedAt = begun;
      } catch (error) {
        if (!signal.aborted) this.#logger.warn('lease not renewed', { error });
      }
    }
  }

  /** A courtesy: without it the next leader waits for the lease to run out. */
  async #release(): Promise<void> {
    const never = new AbortController().signal;
    try {
      await this.#within(this.#settings.retryPeriodMs, never, (s) => this.#lock.release(s));
    } catch (error) {
      this.#logger.debug('lease not released', { error });
    }
  }

  async #within<T>(
    ms: number,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    using _timer = this.#settings.clock.timer(ms, () =>
      late.abort(new TransientError(`ask for lease: no answer in time`, { code: 'kube.timeout' })),
    );
    return await run(AbortSignal.any([signal, late.signal]));
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    // Only an abort ends it early, and every caller looks at the signal next.
    await this.#settings.clock.sleep(ms, signal).catch(() => undefined);
  }
}
