import type { MachineConfigPool, Node } from '@slipway/api';
import { type Clock, type Component, type Logger, startAll, stopAll } from '@slipway/base';
import { createController, informerSource, type KubeClient } from '@slipway/kube';
import { type Caches, cacheComponents, createCaches } from './caches.ts';
import { debounced } from './debounced.ts';
import { DrainAttempts } from './drain/attempts.ts';
import { createDrainReconcile } from './drain/reconcile-drain.ts';
import type { WebhookAddress } from './install/apply-webhook.ts';
import { install } from './install/install.ts';
import { createMachineConfigNodeReconcile } from './machine-config-node/reconcile-machine-config-node.ts';
import { createPolicyReconcile } from './policy/reconcile-policy.ts';
import { createPoolReconcile } from './pool/reconcile-pool.ts';
import type { RecordEvent } from './record-event.ts';
import { LostRenderings } from './render/lost-renderings.ts';
import { createRenderReconcile } from './render/reconcile-render.ts';
import { RenderReports } from './render/render-reports.ts';
import { drainSources, machineConfigNodeSources, poolSources, renderSources } from './sources.ts';
import { WrittenCopies } from './written-copies.ts';

export type TermOptions = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly recordEvent: RecordEvent;
  /** Undefined: no admission webhook is registered. */
  readonly webhook?: { readonly address: WebhookAddress; readonly caPem: string };
  /** Told once the caches are current: admission reads the policy from them. */
  readonly onReady: (caches: Caches) => void;
};

/** Bursts of MachineConfig writes become one rendering; below the second that users may wait. */
const renderDebounceMs = 200;
/** A fleet changes many nodes at once; a pool is looked at once for all of them. */
const poolDebounceMs = 50;
const drainWorkers = 50;
const nodeWorkers = 8;
const backoff = { initialMs: 10, maxMs: 10_000 };

type Parts = TermOptions & {
  readonly caches: Caches;
  readonly reports: RenderReports;
  readonly lost: LostRenderings;
  readonly writtenNodes: WrittenCopies<Node>;
};

function renderController(parts: Parts): Component {
  const { caches, clock, logger } = parts;
  const sources = renderSources(caches).map((each) => debounced(each, clock, renderDebounceMs));
  const reconcile = createRenderReconcile(parts);
  return createController({ name: 'render', sources, reconcile, clock, logger, backoff });
}

function poolController(parts: Parts): Component {
  const { caches, clock, logger, reports } = parts;
  const writtenPools = new WrittenCopies<MachineConfigPool>();
  return createController({
    name: 'pool',
    sources: poolSources(caches, reports).map((each) => debounced(each, clock, poolDebounceMs)),
    reconcile: createPoolReconcile({ ...parts, writtenPools }),
    clock,
    logger,
    backoff,
  });
}

function drainController(parts: Parts): Component {
  const { caches, clock, logger } = parts;
  return createController({
    name: 'drain',
    sources: drainSources(caches),
    reconcile: createDrainReconcile({ ...parts, attempts: new DrainAttempts() }),
    workers: drainWorkers,
    clock,
    logger,
    backoff,
  });
}

function nodeController(parts: Parts): Component {
  const { caches, clock, logger } = parts;
  return createController({
    name: 'machine-config-node',
    sources: machineConfigNodeSources(caches),
    reconcile: createMachineConfigNodeReconcile({ ...parts, told: new Map() }),
    workers: nodeWorkers,
    clock,
    logger,
    backoff,
  });
}

function policyController(parts: Parts): Component {
  const { caches, clock, logger } = parts;
  return createController({
    name: 'policy',
    sources: [informerSource(caches.configurations)],
    reconcile: createPolicyReconcile(parts),
    clock,
    logger,
    backoff,
  });
}

/**
 * One term of leadership: installs, reads the whole state anew, then runs the controllers. Nothing is
 * carried over from an earlier term, so that no decision rests on what another leader has changed since.
 */
export class Term implements Component {
  readonly name = 'operator term';
  readonly #options: TermOptions;
  readonly #stopping = new AbortController();
  #components: readonly Component[] = [];
  #subscription: Disposable | undefined;

  constructor(options: TermOptions) {
    this.#options = options;
  }

  async start(signal?: AbortSignal): Promise<void> {
    const { client, clock, logger, onReady, webhook } = this.#options;
    const signals = signal === undefined ? [] : [signal];
    const ending = AbortSignal.any([this.#stopping.signal, ...signals]);
    const registered = webhook === undefined ? {} : { webhook };
    await install({ client, clock, logger, signal: ending, ...registered });
    const caches = createCaches(client, { clock, logger });
    const informers = cacheComponents(caches);
    this.#components = informers;
    await Promise.all(informers.map((informer) => informer.start(ending)));
    onReady(caches);
    const controllers = this.#controllers(caches);
    this.#components = [...informers, ...controllers];
    await startAll(controllers, ending);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the operator is stopping'));
    this.#subscription?.[Symbol.dispose]();
    await stopAll(this.#components);
  }

  #controllers(caches: Caches): readonly Component[] {
    const lost = new LostRenderings();
    this.#subscription = caches.machineConfigs.onChange(({ before, after }) => {
      if (before !== undefined && after === undefined) lost.note(before);
    });
    const parts: Parts = {
      ...this.#options,
      caches,
      lost,
      reports: new RenderReports(),
      writtenNodes: new WrittenCopies<Node>(),
    };
    return [
      renderController(parts),
      policyController(parts),
      nodeController(parts),
      drainController(parts),
      poolController(parts),
    ];
  }
}
