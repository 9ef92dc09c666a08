import type { Condition, CustomResourceDefinition } from '@slipway/api';
import { type Clock, canonicalJson, jsonEqual, type Logger } from '@slipway/base';
import type { Expressions } from '../cel/expressions.ts';
import type {
  LocalAccess,
  ResourceCatalogue,
  ResourceDefinition,
  StoredObject,
} from '../contract.ts';
import { conditionsOf, hasCondition, part, withCondition } from '../controllers/conditions.ts';
import { type Again, Loop } from '../controllers/loop.ts';
import { asCrd, cleanupFinalizer, crdDefinition, isCrdDefinition, namesOf } from './crd-object.ts';
import { definitionsOf } from './definitions.ts';
import { nameConflicts } from './name-conflicts.ts';

export type CrdControllerOptions = {
  readonly access: LocalAccess;
  readonly catalogue: ResourceCatalogue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly expressions: () => Promise<Expressions>;
};

type Served = { readonly spec: string; readonly definitions: readonly ResourceDefinition[] };
type Crd = StoredObject & CustomResourceDefinition;

/** Serves what CustomResourceDefinitions define, and says so in their status. */
class CrdReconciler {
  readonly #options: CrdControllerOptions;
  readonly #served = new Map<string, Served>();

  constructor(options: CrdControllerOptions) {
    this.#options = options;
  }

  async reconcile(name: string): Promise<Again> {
    const { access, catalogue } = this.#options;
    const definition = crdDefinition(catalogue);
    const object = definition === undefined ? undefined : access.get(definition, undefined, name);
    const crd = object === undefined ? undefined : asCrd(object);
    if (definition === undefined || crd === undefined) {
      this.#withdraw(name, []);
      return undefined;
    }
    if (crd.metadata.deletionTimestamp !== undefined) return this.#finish(definition, crd);
    await this.#establish(definition, crd);
    return undefined;
  }

  /** Stops serving versions of `name` that are not in `kept`. */
  #withdraw(name: string, kept: readonly ResourceDefinition[]): void {
    const versions = new Set(kept.map((definition) => definition.version));
    for (const { group, version, plural } of this.#served.get(name)?.definitions ?? []) {
      if (!versions.has(version)) this.#options.catalogue.remove(group, version, plural);
    }
    if (kept.length === 0) this.#served.delete(name);
  }

  async #serve(name: string, crd: Crd): Promise<void> {
    const spec = canonicalJson(crd.spec);
    if (this.#served.get(name)?.spec === spec) return;
    const definitions = await definitionsOf(crd, this.#options);
    this.#withdraw(name, definitions);
    for (const definition of definitions) this.#options.catalogue.add(definition);
    this.#served.set(name, { spec, definitions });
  }

  async #establish(definition: ResourceDefinition, crd: Crd): Promise<void> {
    const name = crd.metadata.name ?? '';
    const others = this.#options.access.list(definition).flatMap((object) => asCrd(object) ?? []);
    const conflict = nameConflicts(crd, others, this.#options.catalogue);
    // It is served before its status says so: who waits for Established may use it at once.
    if (conflict === undefined) await this.#serve(name, crd);
    await this.#writeStatus(definition, name, (object) => this.#statusOf(object, conflict));
  }

  #statusOf(object: Crd, conflict: Condition | undefined): Readonly<Record<string, unknown>> {
    const now = this.#options.clock.now();
    const status = part(object, 'status');
    const accepted: Condition = conflict ?? {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    };
    const established: Condition =
      conflict === undefined || hasCondition(object, 'Established')
        ? {
            type: 'Established',
            status: 'True',
            reason: 'InitialNamesAccepted',
            message: 'the initial names have been accepted',
          }
        : {
            type: 'Established',
            status: 'False',
            reason: 'NotAccepted',
            message: 'not all names are accepted',
          };
    const conditions = withCondition(
      withCondition(conditionsOf(object), accepted, now),
      established,
      now,
    );
    const storage = object.spec.versions.find((version) => version.storage)?.name;
    const stored = object.status?.storedVersions ?? [];
    const storedVersions =
      storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
    const acceptedNames =
      conflict === undefined ? acceptedNamesOf(object) : status['acceptedNames'];
    return {
      ...status,
      acceptedNames: acceptedNames ?? { plural: '', kind: '' },
      conditions,
      storedVersions,
    };
  }

  async #writeStatus(
    definition: ResourceDefinition,
    name: string,
    statusOf: (crd: Crd) => Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const change = (object: StoredObject) => {
      const crd = asCrd(object);
      if (crd === undefined) return undefined;
      const status = statusOf(crd);
      return jsonEqual(status, object['status']) ? undefined : { ...object, status };
    };
    const options = { subresource: 'status' };
    await this.#options.access.update(definition, undefined, name, change, options);
  }

  /** Deletes the instances and, when the last one is gone, lets the definition go. */
  async #finish(definition: ResourceDefinition, crd: Crd): Promise<Again> {
    const name = crd.metadata.name ?? '';
    if (!(crd.metadata.finalizers ?? []).includes(cleanupFinalizer)) return undefined;
    // After a restart nothing is served yet; the instances are found through their definition.
    if (hasCondition(crd, 'Established')) await this.#serve(name, crd);
    const remaining = await this.#deleteInstances(name, crd);
    await this.#writeStatus(definition, name, (object) => this.#terminating(object, remaining));
    if (remaining > 0) return undefined;
    await this.#options.access.update(definition, undefined, name, (object) => {
      const finalizers = (object.metadata.finalizers ?? []).filter((f) => f !== cleanupFinalizer);
      return { ...object, metadata: { ...object.metadata, finalizers } };
    });
    return undefined;
  }

  #terminating(object: Crd, remaining: number): Readonly<Record<string, unknown>> {
    const wanted: Condition =
      remaining === 0
        ? {
            type: 'Terminating',
            status: 'False',
            reason: 'InstanceDeletionCompleted',
            message: 'removed all instances',
          }
        : {
            type: 'Terminating',
            status: 'True',
            reason: 'InstanceDeletionInProgress',
            message: 'CustomResource deletion is in progress',
          };
    const now = this.#options.clock.now();
    const conditions = withCondition(conditionsOf(object), wanted, now);
    return { ...part(object, 'status'), conditions };
  }

  /** A definition of the instances; also when no version is served any more, for they are still there. */
  async #definitionOfInstances(name: string, crd: Crd): Promise<ResourceDefinition | undefined> {
    const served = this.#served.get(name)?.definitions[0];
    if (served !== undefined || !hasCondition(crd, 'Established')) return served;
    const versions = crd.spec.versions.map((version) => ({ ...version, served: true }));
    const shown = { ...crd, spec: { ...crd.spec, versions } };
    return (await definitionsOf(shown, this.#options))[0];
  }

  async #deleteInstances(name: string, crd: Crd): Promise<number> {
    const { access } = this.#options;
    const served = await this.#definitionOfInstances(name, crd);
    if (served === undefined) return 0;
    for (const object of access.list(served)) {
      if (object.metadata.deletionTimestamp !== undefined) continue;
      await access.delete(served, object.metadata.namespace, object.metadata.name ?? '');
    }
    return access.list(served).length;
  }
}

function acceptedNamesOf(crd: CustomResourceDefinition): Readonly<Record<string, unknown>> {
  const { shortNames, categories, ...names } = namesOf(crd);
  return {
    ...names,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

/** The controller of CustomResourceDefinitions. After `start`, all stored ones are served. */
export function createCrdController(options: CrdControllerOptions): Loop {
  const reconciler = new CrdReconciler(options);
  const names = () => {
    const definition = crdDefinition(options.catalogue);
    if (definition === undefined) return [];
    return options.access.list(definition).map((object) => object.metadata.name ?? '');
  };
  return new Loop({
    name: 'custom-resource-definitions',
    ...options,
    seeds: names,
    keysOf(definition, event) {
      if (definition.custom && event.type === 'DELETED') {
        return [`${definition.plural}.${definition.group}`];
      }
      if (!isCrdDefinition(definition)) return [];
      // A definition that goes may free names that others wait for.
      const own = event.object.metadata.name ?? '';
      return event.type === 'DELETED' ? [own, ...names()] : [own];
    },
    reconcile: (name) => reconciler.reconcile(name),
  });
}
