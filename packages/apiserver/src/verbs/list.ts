import type { ResourceDefinition } from '../contract.ts';
import { expired, revisionTooLarge } from '../status/status-errors.ts';
import type { RecordView } from '../storage/record-view.ts';
import type { Store } from '../storage/store.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { encodeContinue, type ListOptions } from './list-options.ts';
import { resourceKey } from './object-writer.ts';

/** One page of a list, all of it from one revision. */
export type Page = {
  readonly records: readonly StoredRecord[];
  readonly revision: number;
  readonly continue?: string;
  /** Objects after this page; absent when a selector makes counting costly. */
  readonly remaining?: number;
};

type Snapshot = {
  readonly collection: RecordView;
  readonly revision: number;
  /** Key to start at, inclusive. */
  readonly start: string;
};

const staleContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function isExact(options: ListOptions): boolean {
  if (options.match === 'Exact') return true;
  return options.match === '' && options.limit > 0 && (options.revision ?? 0) > 0;
}

function continued(store: Store, resource: string, options: ListOptions): Snapshot | undefined {
  const { continuation } = options;
  if (continuation === undefined) return undefined;
  const { start } = continuation;
  if (continuation.revision < 0) {
    return { collection: store.collection(resource), revision: store.revision, start };
  }
  if (continuation.revision < store.compacted) {
    throw expired(staleContinue, encodeContinue({ revision: -1, start }));
  }
  const { revision } = continuation;
  if (revision > store.revision) throw revisionTooLarge(revision, store.revision);
  return { collection: store.collectionAt(resource, revision), revision, start };
}

function snapshot(store: Store, resource: string, options: ListOptions): Snapshot {
  const rest = continued(store, resource, options);
  if (rest !== undefined) return rest;
  const wanted = options.revision ?? 0;
  if (wanted > store.revision) throw revisionTooLarge(wanted, store.revision);
  if (!isExact(options)) {
    return { collection: store.collection(resource), revision: store.revision, start: '' };
  }
  if (wanted < store.compacted) {
    throw expired('The resourceVersion for the provided list is too old.');
  }
  return { collection: store.collectionAt(resource, wanted), revision: wanted, start: '' };
}

/** Tells whether a record passes the selectors; reads the object only when there is one. */
export function recordFilter(
  definition: ResourceDefinition,
  options: Pick<ListOptions, 'labels' | 'fields'>,
): (record: StoredRecord) => boolean {
  const { labels, fields } = options;
  if (labels.empty && fields.empty) return () => true;
  return (record) => {
    if (fields.name !== undefined && record.name !== fields.name) return false;
    const object = record.object(definition);
    return labels.matches(object.metadata.labels ?? {}) && fields.matches(object);
  };
}

function* candidates(
  from: Snapshot,
  namespace: string | undefined,
  options: ListOptions,
): Generator<StoredRecord> {
  const { name } = options.fields;
  const place = namespace ?? options.fields.namespace;
  if (name === undefined || place === undefined || from.start !== '') {
    yield* from.collection.range(namespace, from.start);
    return;
  }
  const record = from.collection.get(place, name);
  if (record !== undefined) yield record;
}

/** Lists objects of a kind at one revision; throws 410 and 504. */
export function listPage(
  store: Store,
  definition: ResourceDefinition,
  namespace: string | undefined,
  options: ListOptions,
): Page {
  const from = snapshot(store, resourceKey(definition), options);
  const accepts = recordFilter(definition, options);
  const scope = definition.namespaced ? namespace : '';
  const records: StoredRecord[] = [];
  for (const record of candidates(from, scope, options)) {
    if (!accepts(record)) continue;
    if (options.limit > 0 && records.length === options.limit) {
      return { records, revision: from.revision, ...rest(from, scope, options, records) };
    }
    records.push(record);
  }
  return { records, revision: from.revision };
}

/** Where a page that is full ends, and how much comes after it. */
function rest(
  from: Snapshot,
  namespace: string | undefined,
  options: ListOptions,
  records: readonly StoredRecord[],
): Pick<Page, 'continue' | 'remaining'> {
  const last = records.at(-1);
  const start = `${last?.namespace ?? ''}/${last?.name ?? ''}\0`;
  const token = encodeContinue({ revision: from.revision, start });
  if (!options.labels.empty || !options.fields.empty) return { continue: token };
  return { continue: token, remaining: from.collection.count(namespace, start) };
}
