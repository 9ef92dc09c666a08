import type { OwnerReference } from '@slipway/api';
import {
  type ChangeEvent,
  type ResourceDefinition,
  StatusError,
  type StoredObject,
} from '../contract.ts';
import type { ControllerOptions } from './controller-options.ts';
import { type Again, Loop } from './loop.ts';
import {
  decodePlace,
  encodePlace,
  OwnerIndex,
  ownersOf,
  type Place,
  placeOf,
} from './owner-index.ts';
import { resourceOf, storedResources } from './served.ts';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

type Found = {
  readonly definition: ResourceDefinition;
  readonly object: StoredObject;
  readonly place: Place;
};
type OwnerState = 'present' | 'waiting' | 'absent' | 'unknown';

function finalizersOf(object: StoredObject): readonly string[] {
  return object.metadata.finalizers ?? [];
}

function isDeleting(object: StoredObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** Deletes what lost its owners, and carries out foreground and orphan deletion. */
class GarbageCollector {
  readonly index = new OwnerIndex();
  readonly #options: ControllerOptions;

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  /** Objects that have owners, or wait for the collector. */
  seeds(): string[] {
    const keys: string[] = [];
    for (const definition of storedResources(this.#options.catalogue)) {
      for (const object of this.#options.access.list(definition)) {
        this.index.apply(definition, { type: 'ADDED', object });
        if (ownersOf(object).length > 0 || isDeleting(object)) {
          keys.push(encodePlace(placeOf(definition, object)));
        }
      }
    }
    return keys;
  }

  keysOf(definition: ResourceDefinition, event: ChangeEvent): string[] {
    const { object } = event;
    this.index.apply(definition, event);
    const own = encodePlace(placeOf(definition, object));
    if (event.type === 'DELETED') {
      return [...this.index.dependentsOf(object.metadata.uid), ...this.#waitingOwners(object)];
    }
    if (isDeleting(object)) return [own];
    return ownersOf(object).length > 0 ? [own] : [];
  }

  async reconcile(key: string): Promise<Again> {
    const found = this.#find(decodePlace(key));
    if (found === undefined) return undefined;
    if (isDeleting(found.object)) await this.#finishDeletion(found);
    else if (ownersOf(found.object).length > 0) await this.#judgeOwners(found);
    return undefined;
  }

  #definition(resource: string): ResourceDefinition | undefined {
    return this.#options.catalogue.all().find((each) => resourceOf(each) === resource);
  }

  #find(place: Place): Found | undefined {
    const definition = this.#definition(place.resource);
    if (definition === undefined) return undefined;
    const object = this.#options.access.get(definition, place.namespace || undefined, place.name);
    return object && { definition, object, place };
  }

  #owner(reference: OwnerReference, namespace: string): Found | undefined | 'unknown' {
    const slash = reference.apiVersion.indexOf('/');
    const group = slash < 0 ? '' : reference.apiVersion.slice(0, slash);
    const definition = this.#options.catalogue.findKind(
      group,
      reference.apiVersion.slice(slash + 1),
      reference.kind,
    );
    // A kind that is not served, or an owner in some namespace: nothing can be said, so nothing is done.
    if (definition === undefined || (definition.namespaced && namespace === '')) return 'unknown';
    const found = this.#find({
      resource: resourceOf(definition),
      namespace: definition.namespaced ? namespace : '',
      name: reference.name,
    });
    return found?.object.metadata.uid === reference.uid ? found : undefined;
  }

  #stateOf(reference: OwnerReference, namespace: string): OwnerState {
    const owner = this.#owner(reference, namespace);
    if (owner === 'unknown') return 'unknown';
    if (owner === undefined) return 'absent';
    const waits = isDeleting(owner.object) && finalizersOf(owner.object).includes(foreground);
    return waits ? 'waiting' : 'present';
  }

  #waitingOwners(object: StoredObject): string[] {
    return ownersOf(object).flatMap((reference) => {
      const owner = this.#owner(reference, object.metadata.namespace ?? '');
      if (owner === undefined || owner === 'unknown' || !isDeleting(owner.object)) return [];
      return [encodePlace(owner.place)];
    });
  }

  async #judgeOwners({ definition, object, place }: Found): Promise<void> {
    const states = ownersOf(object).map((reference) => ({
      reference,
      state: this.#stateOf(reference, place.namespace),
    }));
    const gone = states.filter(({ state }) => state === 'absent' || state === 'waiting');
    if (gone.length === 0) return;
    if (gone.length < states.length) {
      await this.#dropOwners(
        { definition, object, place },
        gone.map(({ reference }) => reference.uid),
      );
      return;
    }
    const waits = states.some(({ state }) => state === 'waiting');
    const hasDependents = this.index.dependentsOf(object.metadata.uid).length > 0;
    await this.#delete(
      { definition, object, place },
      waits && hasDependents ? 'Foreground' : 'Background',
    );
  }

  async #delete({ definition, object, place }: Found, propagationPolicy: string): Promise<void> {
    const { uid } = object.metadata;
    const options = { propagationPolicy, ...(uid === undefined ? {} : { uid }) };
    try {
      await this.#options.access.delete(
        definition,
        place.namespace || undefined,
        place.name,
        options,
      );
    } catch (error) {
      // Gone, or replaced by another of its name: either way not ours any more.
      const reason = error instanceof StatusError ? error.status.reason : undefined;
      if (reason !== 'NotFound' && reason !== 'Conflict') throw error;
    }
  }

  async #dropOwners({ definition, place }: Found, uids: readonly string[]): Promise<void> {
    await this.#change(definition, place, (object) => {
      const ownerReferences = ownersOf(object).filter(({ uid }) => !uids.includes(uid));
      if (ownerReferences.length === ownersOf(object).length) return undefined;
      const { ownerReferences: _dropped, ...metadata } = object.metadata;
      const kept = ownerReferences.length === 0 ? {} : { ownerReferences };
      return { ...object, metadata: { ...metadata, ...kept } };
    });
  }

  async #dropFinalizer({ definition, place }: Found, finalizer: string): Promise<void> {
    await this.#change(definition, place, (object) => {
      const finalizers = finalizersOf(object).filter((each) => each !== finalizer);
      if (finalizers.length === finalizersOf(object).length) return undefined;
      return { ...object, metadata: { ...object.metadata, finalizers } };
    });
  }

  async #change(
    definition: ResourceDefinition,
    { namespace, name }: Place,
    change: (object: StoredObject) => StoredObject | undefined,
  ): Promise<void> {
    await this.#options.access.update(definition, namespace || undefined, name, change);
  }

  async #finishDeletion(found: Found): Promise<void> {
    const finalizers = finalizersOf(found.object);
    const dependents = this.index
      .dependentsOf(found.object.metadata.uid)
      .flatMap((key) => this.#find(decodePlace(key)) ?? []);
    if (finalizers.includes(orphan)) {
      const { uid = '' } = found.object.metadata;
      for (const dependent of dependents) await this.#dropOwners(dependent, [uid]);
      await this.#dropFinalizer(found, orphan);
    } else if (finalizers.includes(foreground)) {
      for (const dependent of dependents) {
        if (!isDeleting(dependent.object)) await this.#judgeOwners(dependent);
      }
      if (!this.#isBlocked(found)) await this.#dropFinalizer(found, foreground);
    }
  }

  /** True while dependents are there that the owner must outlive. */
  #isBlocked({ object }: Found): boolean {
    const { uid } = object.metadata;
    return this.index.dependentsOf(uid).some((key) => {
      const dependent = this.#find(decodePlace(key))?.object;
      return (
        dependent !== undefined &&
        ownersOf(dependent).some(
          (reference) => reference.uid === uid && reference.blockOwnerDeletion === true,
        )
      );
    });
  }
}

/** The garbage collector: background, foreground and orphan deletion by owner references. */
export function createGarbageCollector(options: ControllerOptions): Loop {
  const collector = new GarbageCollector(options);
  return new Loop({
    name: 'garbage-collector',
    ...options,
    seeds: () => collector.seeds(),
    keysOf: (definition, event) => collector.keysOf(definition, event),
    reconcile: (key) => collector.reconcile(key),
  });
}
