import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Mismatch } from '../../../tools/record-kubeadm/mismatches.ts';
import type { ReplayOrder } from './replay.ts';

type Answer = {
  readonly order: ReplayOrder;
  readonly found?: readonly Mismatch[];
  readonly failure?: string;
};
type Waiting = {
  readonly done: (found: readonly Mismatch[]) => void;
  readonly failed: (reason: Error) => void;
};

/** Replays on all cores: the commands are this process's own code, and there are two thousand of them. */
export class ReplayThreads implements AsyncDisposable {
  readonly #waiting = new Map<string, Waiting>();
  readonly #threads: readonly Worker[];
  #next = 0;

  constructor() {
    const count = Math.min(4, availableParallelism());
    this.#threads = Array.from({ length: count }, () => this.#start());
  }

  replay(order: ReplayOrder): Promise<readonly Mismatch[]> {
    return new Promise((done, failed) => {
      this.#waiting.set(keyOf(order), { done, failed });
      this.#threads[this.#next % this.#threads.length]?.postMessage(order);
      this.#next += 1;
    });
  }

  #start(): Worker {
    const thread = new Worker(new URL('./replay-thread.ts', import.meta.url));
    thread.on('message', ({ order, found, failure }: Answer) => {
      const waiting = this.#waiting.get(keyOf(order));
      if (found === undefined) waiting?.failed(new Error(failure));
      else waiting?.done(found);
    });
    thread.on('error', (error: unknown) => {
      for (const { failed } of this.#waiting.values())
        failed(error instanceof Error ? error : new Error(String(error)));
    });
    return thread;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}

function keyOf({ version, name }: ReplayOrder): string {
  return `${version} ${name}`;
}
