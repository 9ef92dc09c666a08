import type { KubeList, MachineConfigPool, Node } from '@slipway/api';
import { nodeAnnotation } from '@slipway/api';
import type { Kubectl } from './kubectl.ts';
import { waitUntil } from './wait-until.ts';

/** One pool as the server has it. */
export function readPool(kubectl: Kubectl, name: string): Promise<MachineConfigPool> {
  return kubectl.json<MachineConfigPool>(['get', 'machineconfigpool', name]);
}

function isSettled(pool: MachineConfigPool): boolean {
  const conditions = Object.fromEntries(
    (pool.status?.conditions ?? []).map((c) => [c.type, c.status]),
  );
  return (
    conditions['Updated'] === 'True' &&
    conditions['Degraded'] === 'False' &&
    pool.spec?.configuration?.name !== undefined &&
    pool.status?.configuration?.name === pool.spec.configuration.name &&
    pool.status.observedGeneration === pool.metadata?.generation
  );
}

/** Waits until every node of the pool is Done at the pool's target and that target is made of `sources`. */
export function waitForPool(
  kubectl: Kubectl,
  name: string,
  options: {
    readonly machines: number;
    readonly sources?: readonly string[];
    readonly timeoutMs?: number;
  },
): Promise<MachineConfigPool> {
  let last: MachineConfigPool | undefined;
  return waitUntil(
    `pool ${name} to be updated (${options.machines} machines)`,
    async () => {
      last = await readPool(kubectl, name).catch(() => undefined);
      if (last === undefined || !isSettled(last) || last.status?.machineCount !== options.machines)
        return undefined;
      const sources = (last.spec?.configuration?.source ?? []).map((source) => source.name);
      if (options.sources !== undefined && options.sources.join() !== sources.join())
        return undefined;
      return last;
    },
    { timeoutMs: options.timeoutMs ?? 60_000, describe: () => JSON.stringify(last?.status) },
  );
}

/** `state` annotation per node name. */
export async function nodeStates(kubectl: Kubectl): Promise<Record<string, string | undefined>> {
  const list = await kubectl.json<KubeList<Node>>(['get', 'nodes']);
  return Object.fromEntries(
    list.items.map((node) => [
      node.metadata?.name ?? '',
      node.metadata?.annotations?.[nodeAnnotation.state],
    ]),
  );
}
