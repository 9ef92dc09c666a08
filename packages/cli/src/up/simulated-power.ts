import { Worker } from 'node:worker_threads';
import { backoffDelayMs, type Clock, describeError } from '@slipway/base';
import type { HostOrder, HostReport, HostWorkerSettings } from './host-messages.ts';
import type { HostEvent, HostPower } from './host-power.ts';

const entry = new URL(
  import.meta.url.endsWith('.ts') ? './host-worker.ts' : './host-worker.mjs',
  import.meta.url,
);

/** Small heaps: six hosts and the control plane share 200 MiB. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
/** How long a rebooting host may take to stop its services, ms. */
const rebootTimeoutMs = 3000;
const restartBackoff = { initialMs: 500, maxMs: 30_000 };
/** A worker that ran this long was not broken from the start. */
const healthyMs = 60_000;

export type SimulatedPowerOptions = {
  readonly settings: Omit<HostWorkerSettings, 'reboot'>;
  readonly clock: Clock;
  readonly onEvent: (event: HostEvent) => void;
};

/** The power switch of one simulated host: a worker thread that is started again after a reboot or a crash. */
export function createSimulatedPower(options: SimulatedPowerOptions): HostPower {
  return new SimulatedPower(options);
}

class SimulatedPower implements HostPower {
  readonly #options: SimulatedPowerOptions;
  readonly #registered = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #wanted: boolean = true;
  #mayJoin: boolean = false;
  #loaded: boolean = false;
  #crashes = 0;
  #startedAt = 0;

  constructor(options: SimulatedPowerOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.settings.nodeName;
  }

  switchOn(): void {
    this.#start(false);
  }

  join(): Promise<void> {
    this.#mayJoin = true;
    if (this.#loaded) this.#tell({ kind: 'go' });
    return this.#registered.promise;
  }

  async switchOff(timeoutMs: number): Promise<void> {
    this.#wanted = false;
    this.#registered.resolve();
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.#shutDown(worker, timeoutMs);
    await ended;
  }

  /** Services are told to stop; what still runs after `timeoutMs` is ended where it stands. */
  #shutDown(worker: Worker, timeoutMs: number): void {
    const cut = this.#options.clock.timer(timeoutMs, () => void worker.terminate());
    worker.once('exit', () => cut[Symbol.dispose]());
    worker.postMessage({ kind: 'stop' } satisfies HostOrder);
  }

  #tell(order: HostOrder): void {
    this.#worker?.postMessage(order);
  }

  #start(reboot: boolean): void {
    const { settings, clock } = this.#options;
    const workerData: HostWorkerSettings = { ...settings, reboot };
    const worker = new Worker(entry, { workerData, resourceLimits, name: settings.nodeName });
    this.#worker = worker;
    this.#loaded = false;
    this.#startedAt = clock.monotonic();
    let cause = 'it ended by itself';
    let rebooting = false;
    worker.on('message', (report: HostReport) => {
      rebooting ||= report.kind === 'reboot';
      this.#hear(report, worker);
    });
    worker.on('error', (error) => {
      cause = describeError(error);
    });
    worker.on('exit', () => {
      // Nobody may wait for the end of what has ended.
      if (this.#worker === worker) this.#worker = undefined;
      if (!this.#wanted) return;
      if (rebooting) this.#start(true);
      else this.#crashed(cause);
    });
  }

  #hear(report: HostReport, worker: Worker): void {
    const { name } = this;
    switch (report.kind) {
      case 'loaded':
        this.#loaded = true;
        if (this.#mayJoin) this.#tell({ kind: 'go' });
        break;
      case 'registered':
        this.#registered.resolve();
        break;
      case 'reboot':
        this.#options.onEvent({ kind: 'rebooting', name, reason: report.reason });
        this.#shutDown(worker, rebootTimeoutMs);
        break;
      case 'stopped':
        // Nothing of it is needed any more, whatever still holds the thread.
        void worker.terminate();
        break;
    }
  }

  #crashed(cause: string): void {
    const { clock, onEvent } = this.#options;
    onEvent({ kind: 'crashed', name: this.name, cause });
    if (clock.monotonic() - this.#startedAt > healthyMs) this.#crashes = 0;
    clock.timer(backoffDelayMs(this.#crashes, restartBackoff), () => {
      if (this.#wanted) this.#start(false);
    });
    this.#crashes += 1;
  }
}
