import { type Clock, type Component, describeError } from '@slipway/base';
import type { StoredObject } from '../contract.ts';
import { readText } from '../registry/read-path.ts';
import type { ControllerOptions } from './controller-options.ts';

const timeToLiveMs = 60 * 60 * 1000;
const sweepMs = 60 * 1000;

/** When an event was last written, as far as it says so itself, in ms since the epoch. */
function lastSeen(event: StoredObject): number {
  const stamps = [
    event.metadata.creationTimestamp ?? '',
    readText(event, 'firstTimestamp'),
    readText(event, 'lastTimestamp'),
    readText(event, 'eventTime'),
    readText(event, 'series', 'lastObservedTime'),
  ].map((stamp) => Date.parse(stamp));
  return Math.max(...stamps.filter((stamp) => !Number.isNaN(stamp)));
}

async function sweep({ access, catalogue, clock }: ControllerOptions): Promise<void> {
  const definition = catalogue.find('', 'v1', 'events');
  if (definition === undefined) return;
  const expired = clock.now() - timeToLiveMs;
  for (const event of access.list(definition)) {
    if (lastSeen(event) > expired) continue;
    const { namespace, name = '' } = event.metadata;
    await access.delete(definition, namespace, name);
  }
}

/** Deletes events an hour after they were last written. */
export function createEventExpiry(options: ControllerOptions): Component {
  let timer: Disposable | undefined;
  let running: Promise<void> = Promise.resolve();
  const arm = (clock: Clock) => {
    timer = clock.timer(sweepMs, () => {
      running = sweep(options)
        .catch((error: unknown) => {
          options.logger.warn('event expiry failed', { error: describeError(error) });
        })
        .finally(() => {
          if (timer !== undefined) arm(clock);
        });
    });
  };
  return {
    name: 'event-expiry',
    async start() {
      if (timer === undefined) arm(options.clock);
    },
    async stop() {
      timer?.[Symbol.dispose]();
      timer = undefined;
      await running;
    },
  };
}
