import { type DrainRequest, type Node, nodes } from '@slipway/api';
import type { Clock } from '@slipway/base';
import {
  isConflict,
  isNotFound,
  type KubeClient,
  type Outcome,
  type Reconcile,
} from '@slipway/kube';
import type { Caches } from '../caches.ts';
import type { RecordEvent } from '../record-event.ts';
import type { WrittenCopies } from '../written-copies.ts';
import type { DrainAttempts } from './attempts.ts';
import { describeBlocker } from './blockers.ts';
import { acknowledgeDrain, cordon, releaseCordon } from './cordon.ts';
import { type DrainStep, decideDrain } from './decide.ts';
import { evictPods } from './evict-pods.ts';
import { hasShelter } from './shelter.ts';
import { writeBlockers } from './write-blockers.ts';

export type DrainDependencies = {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly clock: Clock;
  readonly recordEvent: RecordEvent;
  readonly attempts: DrainAttempts;
  readonly writtenNodes: WrittenCopies<Node>;
};

const conflictMs = 50;
const done: Outcome = { kind: 'done' };
const again: Outcome = { kind: 'requeue', afterMs: 0 };

class NodeDrain {
  readonly #dependencies: DrainDependencies;
  readonly #node: Node;
  readonly #name: string;

  constructor(dependencies: DrainDependencies, node: Node) {
    this.#dependencies = dependencies;
    this.#node = node;
    this.#name = node.metadata?.name ?? '';
  }

  async run(step: DrainStep): Promise<Outcome> {
    switch (step.kind) {
      case 'idle':
        return done;
      case 'abort':
        return this.#abort();
      case 'release':
        return this.#release(step.keepCordon);
      case 'cordon':
        return this.#cordon(step.prior, step.again);
      case 'uncordon':
        return this.#uncordon(step.request, step.keepCordon);
      case 'evict':
        return this.#evict(step.request);
    }
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#dependencies.recordEvent({ regarding: this.#node, type, reason, message });
  }

  async #clear(): Promise<void> {
    const { attempts, caches, client } = this.#dependencies;
    attempts.forget(this.#name);
    await writeBlockers(client, caches.machineConfigNodes, this.#name, []);
  }

  async #abort(): Promise<Outcome> {
    if (this.#dependencies.attempts.forget(this.#name))
      this.#tell('Normal', 'DrainAborted', 'the target of the node changed during the drain');
    await this.#clear();
    return done;
  }

  async #release(keepCordon: boolean): Promise<Outcome> {
    const { client, writtenNodes } = this.#dependencies;
    writtenNodes.note(await releaseCordon(client, this.#node, { keepCordon }));
    this.#tell('Normal', 'DrainAborted', 'the request to drain was withdrawn');
    await this.#clear();
    return done;
  }

  async #cordon(prior: boolean, lost: boolean): Promise<Outcome> {
    const { client, writtenNodes } = this.#dependencies;
    writtenNodes.note(await cordon(client, this.#node, prior));
    if (lost)
      this.#tell('Warning', 'Recordoned', 'the node was uncordoned while its drain is in force');
    else this.#tell('Normal', 'Cordon', prior ? 'the node was cordoned already' : 'cordoned');
    return again;
  }

  async #uncordon(request: DrainRequest, keepCordon: boolean): Promise<Outcome> {
    const { client, writtenNodes } = this.#dependencies;
    const options = { keepCordon, acknowledge: request };
    writtenNodes.note(await releaseCordon(client, this.#node, options));
    const kept = 'the cordon that was there before stays';
    this.#tell('Normal', 'Uncordon', keepCordon ? kept : 'uncordoned');
    await this.#clear();
    return done;
  }

  async #evict(request: DrainRequest): Promise<Outcome> {
    const { caches, client, clock } = this.#dependencies;
    if (!hasShelter(this.#node, caches.nodes.list())) {
      this.#tell('Normal', 'DrainSkipped', 'no other node could take the pods: they stay');
      return this.#acknowledge(request);
    }
    const { remaining, blockers } = await evictPods(client, this.#name, clock.now());
    if (remaining === 0) return this.#acknowledge(request);
    const words = blockers.map(describeBlocker);
    const drain = `${request.verb}-${request.config}`;
    const nowMs = clock.monotonic();
    const next = this.#dependencies.attempts.record(this.#name, drain, { blockers: words, nowMs });
    await writeBlockers(client, caches.machineConfigNodes, this.#name, blockers);
    if (next.isNew) this.#tell('Warning', 'DrainBlocked', `waiting for ${words.join('; ')}`);
    if (next.isSlow)
      this.#tell(
        'Warning',
        'DrainThresholdExceeded',
        `not drained after 10 minutes; ${remaining} pods left`,
      );
    return { kind: 'requeue', afterMs: next.afterMs };
  }

  async #acknowledge(request: DrainRequest): Promise<Outcome> {
    const { client, writtenNodes } = this.#dependencies;
    writtenNodes.note(await acknowledgeDrain(client, this.#node, request));
    this.#tell('Normal', 'Drained', `ready for ${request.config}`);
    await this.#clear();
    return done;
  }
}

/**
 * Answers the drain requests of one node. It reads the node live before it acts, so that a cordon is
 * verified, a withdrawn request is seen, and nothing is written over somebody else's change.
 */
export function createDrainReconcile(dependencies: DrainDependencies): Reconcile {
  const { attempts, caches, client, writtenNodes } = dependencies;
  return async (name): Promise<Outcome> => {
    const cached = caches.nodes.get(name);
    if (cached === undefined) {
      attempts.forget(name);
      return done;
    }
    if (decideDrain(writtenNodes.newest(cached)).kind === 'idle') return done;
    try {
      const live = await client.get(nodes, name);
      return await new NodeDrain(dependencies, live).run(decideDrain(live));
    } catch (error) {
      if (isNotFound(error)) return done;
      // Somebody wrote the node at the same time, as its kubelet and daemon do: look again.
      if (isConflict(error)) return { kind: 'requeue', afterMs: conflictMs };
      throw error;
    }
  };
}
