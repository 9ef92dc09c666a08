import {
  type MachineConfig,
  type MachineConfigPool,
  machineConfigPools,
  machineConfigs,
  type PoolConfiguration,
} from '@slipway/api';
import { jsonEqual } from '@slipway/base';
import {
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeClient,
  type Outcome,
  type Reconcile,
} from '@slipway/kube';
import {
  describeFinding,
  listNames,
  poolConfigurationOf,
  type Rendered,
  type RenderFinding,
  renderedGarbage,
  renderedObject,
  renderFailure,
  renderPool,
} from '@slipway/machineconfig';
import { type Caches, configsByPool, nodesByConfig, renderedFor } from '../caches.ts';
import type { RecordEvent } from '../record-event.ts';
import type { LostRenderings } from './lost-renderings.ts';
import type { RenderReports } from './render-reports.ts';

export type RenderDependencies = {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly reports: RenderReports;
  readonly lost: LostRenderings;
  readonly recordEvent: RecordEvent;
};

const done: Outcome = { kind: 'done' };
const retry: Outcome = { kind: 'requeue', afterMs: 200 };

/** True while a pool targets or last rolled out a configuration, or a node has or shall have it. */
function isInUse(caches: Caches, name: string): boolean {
  return (
    caches.nodes.byIndex(nodesByConfig, name).length > 0 ||
    caches.pools
      .list()
      .some(
        ({ spec, status }) =>
          spec?.configuration?.name === name || status?.configuration?.name === name,
      )
  );
}

/** Creates the object where it is missing; content that somebody changed under its name is put right. */
async function ensureObject(
  wanted: MachineConfig,
  { client, caches }: RenderDependencies,
): Promise<boolean> {
  const name = wanted.metadata?.name ?? '';
  const live = caches.machineConfigs.get(name);
  if (live !== undefined && jsonEqual(live.spec, wanted.spec) && renderedFor(live) !== undefined)
    return false;
  try {
    if (live === undefined) await client.create(machineConfigs, wanted);
    else
      await client.update(machineConfigs, {
        ...wanted,
        metadata: { ...wanted.metadata, ...resourceVersionOf(live) },
      });
    return live === undefined;
  } catch (error) {
    // The cache is behind: what it shows next is looked at again.
    if (isAlreadyExists(error) || isConflict(error)) return false;
    throw error;
  }
}

function resourceVersionOf(object: MachineConfig): { readonly resourceVersion?: string } {
  const resourceVersion = object.metadata?.resourceVersion;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

async function writeConfiguration(
  client: KubeClient,
  pool: MachineConfigPool,
  configuration: PoolConfiguration,
): Promise<void> {
  if (jsonEqual(pool.spec?.configuration, configuration)) return;
  const body = {
    metadata: { resourceVersion: pool.metadata?.resourceVersion },
    spec: { configuration },
  };
  await client.patch(machineConfigPools, pool.metadata?.name ?? '', { type: 'merge', body });
}

async function collectGarbage(
  pool: string,
  current: string,
  { client, caches }: RenderDependencies,
): Promise<void> {
  const rendered = caches.machineConfigs.byIndex(configsByPool, pool);
  const inUse = (name: string) => name === current || isInUse(caches, name);
  for (const config of renderedGarbage(rendered, inUse)) {
    const { name = '', uid } = config.metadata ?? {};
    try {
      await client.delete(
        machineConfigs,
        name,
        uid === undefined ? {} : { preconditions: { uid } },
      );
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

/** Brings back renderings that were deleted although somebody refers to them. */
async function restoreLost(pool: string, dependencies: RenderDependencies): Promise<void> {
  const { caches, client, lost, recordEvent } = dependencies;
  for (const config of lost.of(pool)) {
    const name = config.metadata?.name ?? '';
    if (caches.machineConfigs.get(name) === undefined && isInUse(caches, name)) {
      const { ownerReferences = [] } = config.metadata ?? {};
      const { apiVersion = '', kind = '', spec = {} } = config;
      const again: MachineConfig = { apiVersion, kind, metadata: { name, ownerReferences }, spec };
      try {
        await client.create(machineConfigs, again);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
      recordEvent({
        regarding: caches.pools.get(pool) ?? config,
        type: 'Warning',
        reason: 'RenderedConfigRestored',
        message: `${name} was deleted while it is in use, and was created again`,
      });
    }
    lost.forget(name);
  }
}

class PoolRendering {
  readonly #dependencies: RenderDependencies;
  readonly #pool: MachineConfigPool;
  readonly #name: string;

  constructor(dependencies: RenderDependencies, pool: MachineConfigPool) {
    this.#dependencies = dependencies;
    this.#pool = pool;
    this.#name = pool.metadata?.name ?? '';
  }

  refuse(findings: readonly RenderFinding[]): Outcome {
    this.#dependencies.reports.set(this.#name, { failure: renderFailure(findings) });
    return done;
  }

  async accept(rendered: Rendered, findings: readonly RenderFinding[]): Promise<Outcome> {
    const { caches, client, recordEvent, reports } = this.#dependencies;
    const configuration = poolConfigurationOf(rendered);
    const created = await ensureObject(renderedObject(this.#pool, rendered), this.#dependencies);
    if (created) this.#tell(rendered, findings);
    try {
      await writeConfiguration(client, this.#pool, configuration);
    } catch (error) {
      if (isConflict(error)) return retry;
      throw error;
    }
    reports.set(this.#name, {});
    if (caches.pools.get(this.#name)?.spec?.configuration?.name !== rendered.name)
      recordEvent({
        regarding: this.#pool,
        type: 'Normal',
        reason: 'TargetChanged',
        message: `nodes of the pool shall have ${rendered.name}`,
      });
    await collectGarbage(this.#name, rendered.name, this.#dependencies);
    return done;
  }

  #tell(rendered: Rendered, findings: readonly RenderFinding[]): void {
    const { recordEvent } = this.#dependencies;
    const regarding = this.#pool;
    const message = `${rendered.name} was rendered from ${listNames(rendered.sources)}`;
    recordEvent({ regarding, type: 'Normal', reason: 'RenderedConfigGenerated', message });
    const overrides = rendered.overrides.map(
      ({ keyPath, winner, overridden }) =>
        `${keyPath}: ${winner.source} wins over ${overridden.source}`,
    );
    if (overrides.length > 0)
      recordEvent({
        regarding,
        type: 'Normal',
        reason: 'Overridden',
        message: listNames(overrides),
      });
    const warnings = findings.filter(({ severity }) => severity === 'warning').map(describeFinding);
    if (warnings.length > 0)
      recordEvent({
        regarding,
        type: 'Warning',
        reason: 'RenderWarning',
        message: listNames(warnings),
      });
  }
}

/** Renders one pool and moves its target. Runs for paused pools too: they only stop handing targets out. */
export function createRenderReconcile(dependencies: RenderDependencies): Reconcile {
  const { caches, reports } = dependencies;
  return async (name): Promise<Outcome> => {
    const pool = caches.pools.get(name);
    if (pool === undefined || pool.metadata?.deletionTimestamp !== undefined) {
      reports.forget(name);
      return done;
    }
    await restoreLost(name, dependencies);
    const outcome = renderPool(pool, caches.machineConfigs.list());
    const rendering = new PoolRendering(dependencies, pool);
    return outcome.kind === 'refused'
      ? rendering.refuse(outcome.findings)
      : rendering.accept(outcome.rendered, outcome.findings);
  };
}
