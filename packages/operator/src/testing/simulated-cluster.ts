import {
  customResourceDefinitions,
  decodeNode,
  encodeDrainRequest,
  encodeState,
  type KubeObject,
  type MachineConfigPool,
  machineConfigPools,
  machineConfigurationDefinitions,
  type Node,
  nodeRoleLabel,
  nodes,
} from '@slipway/api';
import { createLogger, type VirtualClock } from '@slipway/base';
import { observeNode, whyUnavailable } from '@slipway/machineconfig';
import type { Happening } from '../record-event.ts';
import { Term } from '../term.ts';
import { MemoryApi } from './memory-api.ts';

/** How the daemon of a simulated node behaves. */
export type Behaviour = {
  /** Drains before it changes anything. Default false. */
  readonly drains?: boolean;
  /** Configurations that it fails to apply. */
  readonly fails?: (config: string) => boolean;
};

/** A cluster of simulated daemons around the real controllers, on a clock that moves when told. */
export class SimulatedCluster {
  readonly api: MemoryApi;
  readonly clock: VirtualClock;
  readonly happenings: Happening[] = [];
  /** The most nodes of each pool that were out of service at the same time. */
  mostUnavailable = 0;
  #term: Term | undefined;

  constructor(clock: VirtualClock, lagMs?: () => number) {
    this.clock = clock;
    this.api = new MemoryApi(clock, lagMs);
    this.api.onWrite = () => this.#measure();
  }

  /** Begins a term of leadership, as a fresh process would. */
  async lead(): Promise<void> {
    await this.#establish();
    const logger = createLogger(() => undefined);
    this.#term = new Term({
      client: this.api,
      clock: this.clock,
      logger,
      recordEvent: (happening) => void this.happenings.push(happening),
      onReady: () => undefined,
    });
    const started = this.#term.start();
    await this.#during(started);
  }

  /** Ends the term at once, as a crash would. */
  async crash(): Promise<void> {
    const stopped = this.#term?.stop();
    if (stopped !== undefined) await this.#during(stopped);
  }

  async addNode(
    name: string,
    more: { readonly controlPlane?: boolean; readonly labels?: object } = {},
  ) {
    const role = more.controlPlane === true ? nodeRoleLabel.controlPlane : nodeRoleLabel.worker;
    await this.api.create(nodes, {
      metadata: { name, labels: { [role]: '', ...more.labels }, annotations: {} },
      spec: {},
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }

  /** One step of a node's daemon: it reads its node live and does what comes next. */
  async stepDaemon(name: string, behaviour: Behaviour = {}): Promise<void> {
    const node = this.api.peek(nodes, name);
    if (node === undefined) return;
    const annotations = nextAnnotations(node, behaviour);
    if (annotations === undefined) return;
    await this.api.patch(nodes, name, { body: { metadata: { annotations } } });
  }

  pool(name: string): MachineConfigPool {
    return this.api.peek(machineConfigPools, name) ?? {};
  }

  node(name: string): Node {
    return this.api.peek(nodes, name) ?? {};
  }

  /** Lets time pass until `condition` holds; daemons take a step every 100 ms, in the order given. */
  async until(
    condition: () => boolean,
    daemons: () => readonly (readonly [string, Behaviour?])[] = () => this.#everyNode(),
    limitMs = 120_000,
  ): Promise<void> {
    const end = this.clock.monotonic() + limitMs;
    while (!condition()) {
      if (this.clock.monotonic() > end) throw new Error('the condition did not come true in time');
      for (const [name, behaviour] of daemons()) await this.stepDaemon(name, behaviour);
      await this.clock.advance(100);
    }
  }

  #everyNode(): readonly (readonly [string])[] {
    return this.api.all(nodes).map(({ metadata }) => [metadata?.name ?? ''] as const);
  }

  #measure(): void {
    const away = this.api
      .all(nodes)
      .filter((node) => whyUnavailable(observeNode(node)) !== undefined);
    this.mostUnavailable = Math.max(this.mostUnavailable, away.length);
  }

  /** The API server serves definitions at once. */
  async #establish(): Promise<void> {
    const status = { conditions: [{ type: 'Established', status: 'True' as const }] };
    for (const definition of machineConfigurationDefinitions)
      if (this.api.peek(customResourceDefinitions, definition.metadata?.name ?? '') === undefined)
        await this.api.create<KubeObject>(customResourceDefinitions, {
          ...definition,
          ...{ status },
        });
  }

  /** Moves the clock while something that may wait for it goes on. */
  async #during(work: Promise<void>): Promise<void> {
    let open = true;
    const ended = work.finally(() => {
      open = false;
    });
    ended.catch(() => undefined);
    while (open) await this.clock.advance(10);
    await ended;
  }
}

function nextAnnotations(node: Node, { drains = false, fails }: Behaviour) {
  const contract = decodeNode(node);
  const { desired, state } = contract;
  if (desired === undefined) return undefined;
  if (state.kind === 'done' && state.current === desired)
    return contract.drainRequest?.verb === 'drain'
      ? encodeDrainRequest({ verb: 'uncordon', config: desired })
      : undefined;
  const current = state.current === undefined ? {} : { current: state.current };
  if (state.kind !== 'working' && state.kind !== 'degraded')
    return encodeState({ kind: 'working', ...current });
  const request = { verb: 'drain', config: desired } as const;
  const asked = contract.drainRequest;
  if (drains && (asked?.verb !== 'drain' || asked.config !== desired))
    return { ...encodeState({ kind: 'working', ...current }), ...encodeDrainRequest(request) };
  if (drains && contract.drainApplied?.config !== desired) return undefined;
  if (fails?.(desired) === true)
    return encodeState({ kind: 'degraded', ...current, reason: `cannot apply ${desired}` });
  return encodeState({ kind: 'done', current: desired });
}
