import { type Pod, pods } from '@slipway/api';
import { type Clock, type Component, type Logger, systemClock } from '@slipway/base';
import { createInformer, isConflict, isNotFound, type KubeClient } from '@slipway/kube';
import { needsStart, runningStatus } from './pod-status.ts';

export type PodRunnerOptions = {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly hostAddress: string;
  readonly clock?: Clock;
  readonly logger: Logger;
};

const retryMs = 1000;

/**
 * Does for the pods of one node what a kubelet's API side does: shows a bound pod as running, and ends
 * the deletion of a terminating one, so that drain gets its node empty.
 */
export function createPodRunner(options: PodRunnerOptions): Component {
  const { client, nodeName, hostAddress, logger, clock = systemClock } = options;
  const informer = createInformer<Pod>(
    client,
    { resource: pods, scope: { fieldSelector: `spec.nodeName=${nodeName}` } },
    { clock, logger },
  );
  const retries = new Map<string, Disposable>();
  let work: Promise<void> = Promise.resolve();
  let stopped = false;

  async function step(pod: Pod): Promise<void> {
    const { name = '', namespace = 'default', uid, deletionTimestamp } = pod.metadata ?? {};
    const key = { namespace, name };
    if (deletionTimestamp !== undefined) {
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      await client.delete(pods, key, { gracePeriodSeconds: 0, ...preconditions });
    } else if (needsStart(pod)) {
      const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
      const body = { status: runningStatus(pod, hostAddress, now) };
      await client.patch(pods, key, { type: 'merge', body }, { subresource: 'status' });
    }
  }

  async function reconcile(key: string): Promise<void> {
    const pod = informer.get(key);
    if (pod === undefined || stopped) return;
    try {
      await step(pod);
    } catch (error) {
      // Gone, or replaced by another of its name: the watch tells what is true now.
      if (isNotFound(error) || isConflict(error)) return;
      logger.debug('pod step failed', { pod: key, error });
      retries.get(key)?.[Symbol.dispose]();
      retries.set(
        key,
        clock.timer(retryMs, () => enqueue(key)),
      );
    }
  }

  function enqueue(key: string): void {
    work = work.then(() => reconcile(key));
  }

  const registration = informer.onChange(({ key }) => enqueue(key));
  return {
    name: 'pod-runner',
    start: (signal) => informer.start(signal),
    async stop() {
      stopped = true;
      registration[Symbol.dispose]();
      for (const retry of retries.values()) retry[Symbol.dispose]();
      await informer.stop();
      await work;
    },
  };
}
