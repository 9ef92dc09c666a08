import type { Answer } from '../http/answer.ts';
import { negotiate } from '../http/representation.ts';
import { methodNotSupported, notFound, revisionTooLarge } from '../status/status-errors.ts';
import type { Store } from '../storage/store.ts';
import {
  type EventEncoder,
  metadataEncoder,
  plainEncoder,
  tableEncoder,
} from '../watch/event-text.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import type { WatchSink } from '../watch/watcher.ts';
import { listPage } from './list.ts';
import { type ListOptions, parseListOptions } from './list-options.ts';
import { resourceKey } from './object-writer.ts';
import { includeOf, renderPage, renderRecord } from './render.ts';
import type { ResourceCall } from './resource-call.ts';

/** Subresources that show the whole object. */
const readableSubresources = ['status', 'approval'];

/** GET of one object or of its status. */
export function getObject(store: Store, call: ResourceCall): Answer {
  const { definition, at } = call;
  if (at.subresource !== undefined && !readableSubresources.includes(at.subresource)) {
    throw methodNotSupported(definition, 'get');
  }
  const name = at.name ?? '';
  const namespace = definition.namespaced ? (at.namespace ?? '') : '';
  const wanted = Number(call.query.get('resourceVersion') ?? '0');
  if (wanted > store.revision) throw revisionTooLarge(wanted, store.revision);
  const record = store.get({ resource: resourceKey(definition), namespace, name });
  if (record === undefined) throw notFound(definition, name);
  return renderRecord(call, 200, record);
}

/** GET of a collection. */
export function listObjects(store: Store, call: ResourceCall): Answer {
  const { definition, at } = call;
  const options = parseListOptions(definition, call.query);
  return renderPage(call, listPage(store, definition, at.namespace, options));
}

function encoderOf(call: ResourceCall, options: ListOptions): EventEncoder {
  const { definition } = call;
  // A stream of initial events has no Table form.
  const representation = negotiate(call.accept, { tables: options.sendInitialEvents !== true });
  if (representation.form === 'object') return plainEncoder(definition);
  return representation.form === 'metadata'
    ? metadataEncoder(definition, representation.apiVersion)
    : tableEncoder(definition, representation.apiVersion, includeOf(call.query));
}

function inBandError(status: unknown): (sink: WatchSink) => Disposable {
  return (sink) => {
    sink.write(Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`));
    sink.end();
    return { [Symbol.dispose]: () => undefined };
  };
}

/** GET with `watch=true`. */
export function watchObjects(hub: WatchHub, call: ResourceCall): Answer {
  const { definition, at } = call;
  const options = parseListOptions(definition, call.query);
  const encoder = encoderOf(call, options);
  const compacted = hub.check(options);
  if (compacted !== undefined) {
    const open = inBandError(compacted.status);
    return { kind: 'stream', contentType: 'application/json', open };
  }
  const request = { definition, namespace: at.namespace, options, encoder };
  return {
    kind: 'stream',
    contentType: 'application/json',
    open(sink) {
      const watcher = hub.watch(request, sink);
      return { [Symbol.dispose]: () => watcher.close() };
    },
  };
}
