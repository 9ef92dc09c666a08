import type { KubeObject } from '@slipway/api';
import { BugError } from '@slipway/base';

/** `name`, or `namespace/name`: the key of an object in caches and queues. */
export function objectKey(object: KubeObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

type IndexFunction<T> = (object: T) => readonly string[];

/** One named index: which keys have a value. */
class KeyIndex<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #keysByValue = new Map<string, Set<string>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  add(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keysByValue.get(value);
      if (keys === undefined) this.#keysByValue.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keysByValue.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByValue.delete(value);
    }
  }

  keys(value: string): Iterable<string> {
    return this.#keysByValue.get(value) ?? [];
  }
}

/** Objects by key, with indexes that are kept current at every change. */
export class ObjectCache<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, KeyIndex<T>>();
  #snapshot: readonly T[] | undefined;

  constructor(indexes: Readonly<Record<string, IndexFunction<T>>> = {}) {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      this.#indexes.set(name, new KeyIndex(valuesOf));
    }
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  /** All objects; the same array until something changes. */
  list(): readonly T[] {
    this.#snapshot ??= [...this.#objects.values()];
    return this.#snapshot;
  }

  /** Throws BugError for an index that was not declared. */
  byIndex(index: string, value: string): readonly T[] {
    const keyIndex = this.#indexes.get(index);
    if (keyIndex === undefined) throw noSuchIndex(index);
    const found: T[] = [];
    for (const key of keyIndex.keys(value)) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Puts an object under its key and returns what was there. */
  set(key: string, object: T): T | undefined {
    const before = this.delete(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) index.add(key, object);
    this.#snapshot = undefined;
    return before;
  }

  /** Removes and returns what was there. */
  delete(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    for (const index of this.#indexes.values()) index.remove(key, before);
    this.#objects.delete(key);
    this.#snapshot = undefined;
    return before;
  }
}

function noSuchIndex(index: string): BugError {
  return new BugError(`look up objects: no index is named ${index}`, { code: 'kube.no-index' });
}
