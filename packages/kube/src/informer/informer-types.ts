import type { KubeObject, Resource } from '@slipway/api';
import type { Component } from '@slipway/base';
import type { ListOptions } from '../client/kube-client.ts';

/** What changed in the cache. The event only wakes: act on the cache, by key. */
export type InformerEvent<T> = { readonly key: string; readonly before?: T; readonly after?: T };

export type InformerOptions<T extends KubeObject> = {
  readonly resource: Resource<T>;
  readonly scope?: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;
  /** Strips what nobody reads before it is cached; managedFields always go. */
  readonly transform?: (object: T) => T;
  /** Named functions from an object to the values under which `byIndex` finds it. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>>;
};

/** A cache of one resource, kept current by list and watch. Keys are `name` or `namespace/name`. */
export interface Informer<T extends KubeObject> extends Component {
  /** True once the first list is complete. `start` waits for it. */
  readonly synced: boolean;
  get(key: string): T | undefined;
  list(): readonly T[];
  byIndex(index: string, value: string): readonly T[];
  /** Every change after registration, and an `after`-only event for each object already there. */
  onChange(handler: (event: InformerEvent<T>) => void): Disposable;
}
