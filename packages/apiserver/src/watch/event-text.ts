import type { ResourceDefinition } from '../contract.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import {
  columnDefinitions,
  type IncludeObject,
  partialObject,
  table,
  tableRow,
} from '../verbs/table.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Writes one watch event as a line. */
export type EventEncoder = {
  event(type: EventType, record: StoredRecord): Buffer;
  bookmark(revision: number, initialEventsEnd: boolean): Buffer;
};

/** Lines of the plain form: the same for all watchers of a version, so they are made once. */
const plainLines = new WeakMap<StoredRecord, Map<string, Buffer>>();

function plainLine(definition: ResourceDefinition, type: EventType, record: StoredRecord): Buffer {
  const key = `${type} ${definition.version}`;
  const lines = plainLines.get(record) ?? new Map<string, Buffer>();
  const known = lines.get(key);
  if (known !== undefined) return known;
  const line = Buffer.from(`{"type":"${type}","object":${record.text(definition)}}\n`);
  lines.set(key, line);
  plainLines.set(record, lines);
  return line;
}

function bookmarkMetadata(revision: number, initialEventsEnd: boolean) {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return {
    resourceVersion: String(revision),
    creationTimestamp: null,
    ...(initialEventsEnd ? { annotations } : {}),
  };
}

function line(type: string, object: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}

/** Whole objects. */
export function plainEncoder(definition: ResourceDefinition): EventEncoder {
  const { group, version, kind } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return {
    event: (type, record) => plainLine(definition, type, record),
    bookmark: (revision, end) =>
      line('BOOKMARK', { kind, apiVersion, metadata: bookmarkMetadata(revision, end) }),
  };
}

/** Metadata only. */
export function metadataEncoder(definition: ResourceDefinition, apiVersion: string): EventEncoder {
  return {
    event: (type, record) => line(type, partialObject(record.object(definition), apiVersion)),
    bookmark: (revision, end) =>
      line('BOOKMARK', {
        kind: 'PartialObjectMetadata',
        apiVersion,
        metadata: bookmarkMetadata(revision, end),
      }),
  };
}

/** A Table of one row per event; the headers come with the first. */
export function tableEncoder(
  definition: ResourceDefinition,
  apiVersion: string,
  include: IncludeObject,
): EventEncoder {
  let headers: ReturnType<typeof columnDefinitions> | null = columnDefinitions(definition);
  function oneTable(revision: number, rows: Parameters<typeof table>[2]) {
    const made = table({ resourceVersion: String(revision) }, headers, rows, apiVersion);
    headers = null;
    return made;
  }
  return {
    event: (type, record) => {
      const row = tableRow(definition, record.object(definition), include, apiVersion);
      return line(type, oneTable(record.revision, [row]));
    },
    bookmark: (revision) => line('BOOKMARK', oneTable(revision, [])),
  };
}
