import { type MachineConfigNode, machineConfigNodes, type Node } from '@slipway/api';
import { jsonEqual } from '@slipway/base';
import {
  isAlreadyExists,
  isNotFound,
  type KubeClient,
  type Outcome,
  type Reconcile,
} from '@slipway/kube';
import { membershipOf } from '@slipway/machineconfig';
import type { Caches } from '../caches.ts';
import type { RecordEvent } from '../record-event.ts';
import { membershipWarning, wantedNode } from './decide.ts';

export type MachineConfigNodeDependencies = {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly recordEvent: RecordEvent;
  /** What was last told of each node's membership. */
  readonly told: Map<string, string>;
};

const done: Outcome = { kind: 'done' };

async function remove(client: KubeClient, name: string): Promise<void> {
  try {
    await client.delete(machineConfigNodes, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function create(client: KubeClient, wanted: MachineConfigNode): Promise<void> {
  try {
    await client.create(machineConfigNodes, wanted);
  } catch (error) {
    // The node's daemon was faster; the cache will show its object, and the next round completes it.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** A merge patch to `wanted`; parts of the spec that went are named with null. */
function patchTo(wanted: MachineConfigNode, live: MachineConfigNode): object | undefined {
  const sameOwner = jsonEqual(live.metadata?.ownerReferences, wanted.metadata?.ownerReferences);
  if (sameOwner && jsonEqual(live.spec, wanted.spec)) return undefined;
  const gone = Object.keys(live.spec ?? {}).filter((key) => !(key in (wanted.spec ?? {})));
  return {
    metadata: { ownerReferences: wanted.metadata?.ownerReferences },
    spec: { ...wanted.spec, ...Object.fromEntries(gone.map((key) => [key, null])) },
  };
}

/** Tells once when a node's labels put it in no pool, or in another than somebody may think. */
function tellMembership(node: Node, dependencies: MachineConfigNodeDependencies): void {
  const { caches, recordEvent, told } = dependencies;
  const name = node.metadata?.name ?? '';
  const warning = membershipWarning(membershipOf(node, caches.pools.list()));
  if (warning === told.get(name)) return;
  if (warning === undefined) told.delete(name);
  else {
    told.set(name, warning);
    recordEvent({
      regarding: node,
      type: 'Warning',
      reason: 'AmbiguousMembership',
      message: warning,
    });
  }
}

/** Keeps one MachineConfigNode per node: it comes and goes with the node and says what the node shall have. */
export function createMachineConfigNodeReconcile(
  dependencies: MachineConfigNodeDependencies,
): Reconcile {
  const { caches, client, told } = dependencies;
  return async (name): Promise<Outcome> => {
    const node = caches.nodes.get(name);
    const live = caches.machineConfigNodes.get(name);
    if (node === undefined) {
      told.delete(name);
      if (live !== undefined) await remove(client, name);
      return done;
    }
    tellMembership(node, dependencies);
    const wanted = wantedNode(node, caches.pools.list());
    if (live === undefined) {
      await create(client, wanted);
      return done;
    }
    const body = patchTo(wanted, live);
    if (body === undefined) return done;
    try {
      await client.patch(machineConfigNodes, name, { type: 'merge', body });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return done;
  };
}
