import { nodes } from '@slipway/api';
import { type Component, systemClock } from '@slipway/base';
import { isNotFound, type KubeClient } from '@slipway/kube';
import type { Output } from '../output.ts';
import { hasRole, markWorker } from './cluster-objects.ts';
import type { HostPower } from './host-power.ts';
import type { HostPlace } from './settings.ts';

export type HostFleetOptions = {
  /** In the order in which they join. */
  readonly hosts: readonly { readonly place: HostPlace; readonly power: HostPower }[];
  /** As administrator. */
  readonly client: KubeClient;
  readonly output: Output;
  /** Labels and taints a node as `init` and `join` do. */
  readonly markControlPlane: (nodeName: string) => Promise<void>;
};

const switchOffTimeoutMs = 10_000;

/**
 * All hosts of the cluster. `start` switches them on at once and lets them join one after the other, so
 * that their Nodes are as old as their order; it resolves when each is Ready and has its role.
 */
export function createHostFleet(options: HostFleetOptions): Component {
  const { hosts, client, output, markControlPlane } = options;

  async function stop(): Promise<void> {
    await Promise.all(hosts.map(({ power }) => power.switchOff(switchOffTimeoutMs)));
  }

  async function join(signal: AbortSignal | undefined): Promise<void> {
    for (const { power } of hosts) power.switchOn();
    for (const { place, power } of hosts) {
      await power.join();
      signal?.throwIfAborted();
      await untilRegistered(client, place.name, signal);
      if (!(await hasRole(client, place.name))) {
        if (place.role === 'worker') await markWorker(client, place.name);
        else await markControlPlane(place.name);
      }
      output.phase('hosts', `${place.name} joined as ${place.role}`);
    }
  }

  return {
    name: 'hosts',
    async start(signal) {
      const release = onAbort(signal, () => void stop());
      try {
        await join(signal);
      } catch (error) {
        await stop();
        throw error;
      } finally {
        release();
      }
    },
    stop,
  };
}

function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  signal?.addEventListener('abort', action, { once: true });
  return () => signal?.removeEventListener('abort', action);
}

const pollMs = 100;

/** Resolves when the Node is there and Ready; a host of another kind only says that it has booted. */
async function untilRegistered(
  client: KubeClient,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    try {
      const node = await client.get(nodes, name);
      const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready');
      if (ready?.status === 'True') return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await systemClock.sleep(pollMs, signal);
  }
}
