import type { KubeObject } from '@slipway/api';
import { objectKey } from '@slipway/kube';

function revisionOf(object: KubeObject): bigint | undefined {
  const text = object.metadata?.resourceVersion ?? '';
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined;
}

function isNewer(a: KubeObject, b: KubeObject): boolean {
  const left = revisionOf(a);
  const right = revisionOf(b);
  return left !== undefined && right !== undefined && left > right;
}

/**
 * What was read from or written to the server directly, until the cache has it: decisions are made on
 * the newer of both, so that a cache that lags behind never makes us forget what we did.
 */
export class WrittenCopies<T extends KubeObject> {
  readonly #copies = new Map<string, T>();

  /** Remembers the server's answer to a read or write. */
  note(object: T): void {
    const key = objectKey(object);
    const known = this.#copies.get(key);
    if (known === undefined || isNewer(object, known)) this.#copies.set(key, object);
  }

  /** The newer of the cached object and the noted one; a note that the cache has caught up with is dropped. */
  newest(cached: T): T {
    const key = objectKey(cached);
    const copy = this.#copies.get(key);
    if (copy === undefined) return cached;
    if (isNewer(copy, cached)) return copy;
    this.#copies.delete(key);
    return cached;
  }

  forget(key: string): void {
    this.#copies.delete(key);
  }
}
