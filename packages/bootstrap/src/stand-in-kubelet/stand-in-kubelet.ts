import type { Node } from '@slipway/api';
import {
  backoffDelayMs,
  type Clock,
  type Component,
  type Logger,
  silentLogger,
  systemClock,
} from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import type { NodeDescription } from './node-description.ts';
import { renewNodeLease } from './node-lease.ts';
import { createNodeReporter } from './node-reporter.ts';
import { createPodRunner } from './pod-runner.ts';

export type StandInKubeletOptions = {
  /** With the node's own certificate. */
  readonly client: KubeClient;
  readonly description: NodeDescription;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Time between two renewals of the Lease; default 10 s, as the kubelet. */
  readonly leasePeriodMs?: number;
  /** Time between two reports of the status; default 10 s, as the kubelet looks at its own. A node that was silent and is back is Ready again with the next one. */
  readonly statusPeriodMs?: number;
};

const retry = { initialMs: 200, maxMs: 7_000 };

/**
 * Plays the kubelet's part towards the API for a host of try mode: Node, Lease, pods. It runs no
 * container and is no substitute for a kubelet: never use it on a host of a real cluster.
 *
 * `start` resolves when the Node is registered and Ready; `stop` reports Ready=False.
 */
export function createStandInKubelet(options: StandInKubeletOptions): Component {
  const { client, description, clock = systemClock, logger = silentLogger } = options;
  const { leasePeriodMs = 10_000, statusPeriodMs = 10_000 } = options;
  const { nodeName } = description;
  const reporter = createNodeReporter(client, description, clock);
  const podRunner = createPodRunner({
    client,
    nodeName,
    hostAddress: description.addresses[0] ?? '',
    clock,
    logger,
  });
  const stopping = new AbortController();
  let loops: readonly Promise<void>[] = [];
  let registered = false;
  let node: Node | undefined;

  async function heartbeat(): Promise<void> {
    node ??= await reporter.report('running');
    await renewNodeLease(client, node, clock);
  }

  async function report(): Promise<void> {
    node = await reporter.report('running');
  }

  async function persist(what: string, task: () => Promise<void>): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      stopping.signal.throwIfAborted();
      try {
        await task();
        return;
      } catch (error) {
        logger.debug('kubelet task failed', { node: nodeName, task: what, error });
        await clock.sleep(backoffDelayMs(failures, retry), stopping.signal);
      }
    }
  }

  async function repeat(what: string, periodMs: number, task: () => Promise<void>): Promise<void> {
    for (;;) {
      await clock.sleep(periodMs, stopping.signal);
      await persist(what, task);
    }
  }

  return {
    name: 'stand-in-kubelet',
    async start(signal) {
      signal?.addEventListener('abort', () => stopping.abort(signal.reason), { once: true });
      await persist('register', report);
      registered = true;
      await persist('lease', heartbeat);
      await podRunner.start(signal);
      loops = [
        repeat('lease', leasePeriodMs, heartbeat),
        repeat('status', statusPeriodMs, report),
      ].map((loop) => loop.catch(() => undefined));
    },
    async stop() {
      stopping.abort(new Error('stopped'));
      await Promise.all(loops);
      await podRunner.stop();
      if (!registered) return;
      registered = false;
      await reporter.report('stopped').catch((error: unknown) => {
        // The API server may have gone first; its node lifecycle controller will notice.
        logger.debug('node not reported as stopped', { node: nodeName, error });
      });
    },
  };
}
