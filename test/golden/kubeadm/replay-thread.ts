import { parentPort } from 'node:worker_threads';
import { type ReplayOrder, replay } from './replay.ts';

/** One thread of the replay: answers each order with its mismatches, or with why it could not. */
parentPort?.on('message', (order: ReplayOrder) => {
  replay(order).then(
    (found) => parentPort?.postMessage({ order, found }),
    (error: unknown) => parentPort?.postMessage({ order, failure: String(error) }),
  );
});
