import type { OwnerReference } from '@slipway/api';
import type { ChangeEvent, ResourceDefinition, StoredObject } from '../contract.ts';
import { resourceOf } from './served.ts';

/** Where an object is: `group/plural|namespace|name`. */
export type Place = {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
};

export function encodePlace({ resource, namespace, name }: Place): string {
  return `${resource}|${namespace}|${name}`;
}

export function decodePlace(key: string): Place {
  const [resource = '', namespace = '', name = ''] = key.split('|');
  return { resource, namespace, name };
}

/** The place of a stored object. */
export function placeOf(definition: ResourceDefinition, object: StoredObject): Place {
  const { namespace = '', name = '' } = object.metadata;
  return { resource: resourceOf(definition), namespace, name };
}

export function ownersOf(object: StoredObject): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? [];
}

/** Dependents by the uid of their owner. Only objects that have owners take memory here. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Set<string>>();
  readonly #owners = new Map<string, readonly string[]>();

  /** Takes in a change. */
  apply(definition: ResourceDefinition, event: Pick<ChangeEvent, 'type' | 'object'>): void {
    const key = encodePlace(placeOf(definition, event.object));
    for (const uid of this.#owners.get(key) ?? []) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(key);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
    this.#owners.delete(key);
    if (event.type === 'DELETED') return;
    const uids = ownersOf(event.object).map(({ uid }) => uid);
    if (uids.length === 0) return;
    this.#owners.set(key, uids);
    for (const uid of uids) {
      const dependents = this.#dependents.get(uid) ?? new Set();
      dependents.add(key);
      this.#dependents.set(uid, dependents);
    }
  }

  /** Keys of the objects that name `uid` as an owner. */
  dependentsOf(uid: string | undefined): readonly string[] {
    return uid === undefined ? [] : [...(this.#dependents.get(uid) ?? [])];
  }
}
