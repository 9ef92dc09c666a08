import {
  apiVersionOf,
  events,
  type KubeEvent,
  type KubeObject,
  type ObjectReference,
  type Resource,
} from '@slipway/api';
import type { Clock, Component, Logger } from '@slipway/base';
import type { KubeClient } from '../client/kube-client.ts';
import { isNotFound } from '../errors.ts';

export type EventRecorderOptions = {
  readonly client: KubeClient;
  /** Who reports: `slipway-operator`. */
  readonly component: string;
  /** On which machine, where it matters. */
  readonly host?: string;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** What happened. Equal ones about the same object are counted, so keep varying numbers out of `message`. */
export type Occurrence = {
  readonly type: 'Normal' | 'Warning';
  /** One word in camel case, for machines: `ConfigDrift`. */
  readonly reason: string;
  readonly message: string;
};

/** Writes core/v1 Events. Best effort: what cannot be written is dropped, and nobody waits for it. */
export interface EventRecorder extends Component {
  record(regarding: ObjectReference, occurrence: Occurrence): void;
}

/** Distinct events that are remembered for counting; the longest unused goes first. */
const maxRemembered = 1000;
/** Distinct events that wait to be written; further ones are dropped. */
const maxPending = 200;
/** How long `stop` waits for what is pending. */
const drainMs = 3000;
/** What the API server accepts. */
const maxMessageLength = 1024;

/** An object as events refer to it. */
export function referenceTo<T extends KubeObject>(
  resource: Resource<T>,
  object: T,
): ObjectReference {
  const { name, namespace, uid } = object.metadata ?? {};
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
}

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  return new QueueRecorder(options);
}

type Pending = Occurrence & {
  readonly regarding: ObjectReference;
  readonly first: string;
  last: string;
  count: number;
};

type Written = { readonly namespace: string; readonly name: string; readonly count: number };

class QueueRecorder implements EventRecorder {
  readonly name = 'event recorder';
  readonly #options: EventRecorderOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #written = new Map<string, Written>();
  readonly #stopping = new AbortController();
  #serial = 0;
  #stopped: boolean = false;
  #writing: Promise<void> | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const { clock } = this.#options;
    using _timer = clock.timer(drainMs, () => this.#stopping.abort());
    await this.#writing;
  }

  record(regarding: ObjectReference, occurrence: Occurrence): void {
    if (this.#stopped) return;
    const { clock, logger } = this.#options;
    const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const key = identityOf(regarding, occurrence);
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      pending.count += 1;
      pending.last = now;
      return;
    }
    if (this.#pending.size >= maxPending) {
      logger.debug('event dropped', { reason: occurrence.reason });
      return;
    }
    this.#pending.set(key, { ...occurrence, regarding, first: now, last: now, count: 1 });
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#stopping;
    // Later in this turn: occurrences that come together are written together.
    await Promise.resolve();
    for (let next = this.#first(); next !== undefined && !signal.aborted; next = this.#first()) {
      const [key, pending] = next;
      this.#pending.delete(key);
      try {
        this.#remember(key, await this.#write(key, pending, signal));
      } catch (error) {
        this.#options.logger.debug('event not written', { reason: pending.reason, error });
      }
    }
    // In the same turn as the last look: whatever is recorded from here on starts writing again.
    this.#writing = undefined;
  }

  #first(): [string, Pending] | undefined {
    const [first] = this.#pending;
    return first;
  }

  async #write(key: string, pending: Pending, signal: AbortSignal): Promise<Written> {
    const written = this.#written.get(key);
    if (written !== undefined) {
      try {
        return await this.#bump(written, pending, signal);
      } catch (error) {
        // Events expire after an hour: then it is a new one.
        if (!isNotFound(error)) throw error;
      }
    }
    return this.#create(pending, signal);
  }

  async #bump(written: Written, pending: Pending, signal: AbortSignal): Promise<Written> {
    const { namespace, name } = written;
    const count = written.count + pending.count;
    const body = { count, lastTimestamp: pending.last };
    const patch = { type: 'merge', body } as const;
    await this.#options.client.patch(events, { namespace, name }, patch, { signal });
    return { namespace, name, count };
  }

  async #create(pending: Pending, signal: AbortSignal): Promise<Written> {
    const { client, component, host } = this.#options;
    const { regarding, type, reason, count } = pending;
    // Events about cluster-scoped objects live in `default`, where kubectl describe looks for them.
    const namespace = regarding.namespace ?? 'default';
    const name = this.#nameFor(regarding);
    const event: KubeEvent = {
      metadata: { namespace, name },
      involvedObject: regarding,
      type,
      reason,
      message: pending.message.slice(0, maxMessageLength),
      source: { component, ...(host === undefined ? {} : { host }) },
      firstTimestamp: pending.first,
      lastTimestamp: pending.last,
      count,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
    await client.create(events, event, { signal });
    return { namespace, name, count };
  }

  /** `<object>.<hexadecimal time>`, as kubectl users know it; the serial tells those of one millisecond apart. */
  #nameFor({ name = 'unnamed' }: ObjectReference): string {
    this.#serial = (this.#serial + 1) % 0x1_0000;
    const stamp = this.#options.clock.now().toString(16);
    return `${name.slice(0, 200)}.${stamp}${this.#serial.toString(16).padStart(4, '0')}`;
  }

  #remember(key: string, written: Written): void {
    this.#written.delete(key);
    this.#written.set(key, written);
    if (this.#written.size <= maxRemembered) return;
    const [oldest] = this.#written.keys();
    if (oldest !== undefined) this.#written.delete(oldest);
  }
}

function identityOf(regarding: ObjectReference, { type, reason, message }: Occurrence): string {
  const { kind, namespace, name, uid } = regarding;
  return JSON.stringify([kind, namespace, name, uid, type, reason, message]);
}
