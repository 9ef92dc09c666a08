import { type Lease, leases, type Node, nodes } from '@slipway/api';
import {
  type Clock,
  type Component,
  type Logger,
  silentLogger,
  startAll,
  stopAll,
  systemClock,
} from '@slipway/base';
import { createInformer, type KubeClient } from '@slipway/kube';
import { nodeLeaseNamespace } from '../stand-in-kubelet/node-lease.ts';
import { type Heartbeat, observeHeartbeat, silentConditions } from './decide.ts';

export type NodeLifecycleOptions = {
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Silence after which a node counts as gone; default 40 s, as kubelets' leases. */
  readonly graceMs?: number;
  /** Time between two looks; default 5 s, as upstream. */
  readonly periodMs?: number;
};

/**
 * Marks nodes whose kubelet has gone silent: all conditions Unknown. Try mode only: a cluster has the
 * node lifecycle controller of Kubernetes for it. After a start every node gets the whole grace period.
 */
export function createNodeLifecycle(options: NodeLifecycleOptions): Component {
  const { client, clock = systemClock, logger = silentLogger } = options;
  const { graceMs = 40_000, periodMs = 5_000 } = options;
  const nodeInformer = createInformer<Node>(client, { resource: nodes }, { clock, logger });
  const leaseInformer = createInformer<Lease>(
    client,
    { resource: leases, scope: { namespace: nodeLeaseNamespace } },
    { clock, logger },
  );
  const heartbeats = new Map<string, Heartbeat>();
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function look(node: Node): Promise<void> {
    const name = node.metadata?.name ?? '';
    const lease = leaseInformer.get(`${nodeLeaseNamespace}/${name}`);
    const monotonicMs = clock.monotonic();
    const heartbeat = observeHeartbeat(
      heartbeats.get(name),
      lease?.spec?.renewTime ?? '',
      monotonicMs,
    );
    heartbeats.set(name, heartbeat);
    const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = silentConditions(node, heartbeat, { monotonicMs, graceMs, now });
    if (conditions === undefined) return;
    // The revision guards against a kubelet that reports at this very moment.
    const metadata = { resourceVersion: node.metadata?.resourceVersion };
    const body = { metadata, status: { conditions } };
    await client.patch(nodes, name, { type: 'merge', body }, { subresource: 'status' });
    logger.warn('node went silent', { node: name, graceMs });
  }

  async function run(): Promise<void> {
    for (;;) {
      const present = nodeInformer.list();
      const names = new Set(present.map((node) => node.metadata?.name));
      for (const name of heartbeats.keys()) if (!names.has(name)) heartbeats.delete(name);
      for (const node of present) {
        await look(node).catch((error: unknown) =>
          logger.debug('node not judged', { node: node.metadata?.name, error }),
        );
      }
      await clock.sleep(periodMs, stopping.signal);
    }
  }

  return {
    name: 'node-lifecycle',
    async start(signal) {
      await startAll([nodeInformer, leaseInformer], signal);
      running = run().catch(() => undefined);
    },
    async stop() {
      stopping.abort(new Error('stopped'));
      await running;
      await stopAll([nodeInformer, leaseInformer]);
    },
  };
}
