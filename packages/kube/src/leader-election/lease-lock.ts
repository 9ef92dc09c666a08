import { type Lease, leases } from '@slipway/api';
import type { Clock } from '@slipway/base';
import type { KubeClient } from '../client/kube-client.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../errors.ts';

export type LeaseLockOptions = {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Who this candidate is: unique among all, also among restarts on one machine. */
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
};

/** `held`: the lease is ours now; `taken`: somebody else holds it, or was quicker. */
export type LockResult = 'held' | 'taken';

/**
 * A Lease as a lock. Whether another holder's lease ran out is judged by how long this process has not
 * seen it change, never by the times in it: clocks of machines differ.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #observed: Lease | undefined;
  #observedAt = 0;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Takes the lease if it is free or ours, and renews it. Throws when the server cannot be asked. */
  async acquire(signal: AbortSignal): Promise<LockResult> {
    // The holder needs no read: its own last write is the newest unless an answer was lost.
    if (this.#isOurs() && (await this.#claim(this.#observed, signal))) return 'held';
    const current = await this.#read(signal);
    if (current !== undefined && !this.#isOurs() && this.#isValid(current)) return 'taken';
    return (await this.#claim(current, signal)) ? 'held' : 'taken';
  }

  /** Writes our claim over what was seen; false when somebody wrote in between. */
  async #claim(current: Lease | undefined, signal: AbortSignal): Promise<boolean> {
    const { client } = this.#options;
    const claim = this.#claimOver(current);
    try {
      const written =
        current === undefined
          ? await client.create(leases, claim, { signal })
          : await client.update(leases, claim, { signal });
      this.#observe(written);
      return true;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  /** Gives the lease up, so that the next candidate need not wait for it to run out. */
  async release(signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    if (!this.#isOurs() || this.#observed === undefined) return;
    const now = microTime(clock.now());
    const spec = { ...this.#observed.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    const released = { ...this.#observed, spec: { ...spec, acquireTime: now, renewTime: now } };
    this.#observe(await client.update(leases, released, { signal }));
  }

  #isOurs(): boolean {
    return this.#observed?.spec?.holderIdentity === this.#options.identity;
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, name } = this.#options;
    try {
      const lease = await client.get(leases, { namespace, name }, { signal });
      this.#observe(lease);
      return lease;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#observed = undefined;
      return undefined;
    }
  }

  #observe(lease: Lease): void {
    const version = lease.metadata?.resourceVersion;
    if (version !== undefined && version === this.#observed?.metadata?.resourceVersion) return;
    this.#observed = lease;
    this.#observedAt = this.#options.clock.monotonic();
  }

  #isValid({ spec }: Lease): boolean {
    if (spec?.holderIdentity === undefined || spec.holderIdentity === '') return false;
    const { leaseDurationMs, clock } = this.#options;
    const seconds = spec.leaseDurationSeconds;
    const durationMs = seconds === undefined ? leaseDurationMs : seconds * 1000;
    return clock.monotonic() < this.#observedAt + durationMs;
  }

  #claimOver(current: Lease | undefined): Lease {
    const { namespace, name, identity, leaseDurationMs, clock } = this.#options;
    const now = microTime(clock.now());
    const before = current?.spec;
    const isRenewal = before?.holderIdentity === identity;
    const transitions = before?.leaseTransitions ?? 0;
    return {
      ...current,
      metadata: { ...current?.metadata, namespace, name },
      spec: {
        ...before,
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
        acquireTime: isRenewal ? (before.acquireTime ?? now) : now,
        renewTime: now,
        leaseTransitions: isRenewal || current === undefined ? transitions : transitions + 1,
      },
    };
  }
}

/** A time as MicroTime has it: exactly six digits after the second. */
export function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z');
}
