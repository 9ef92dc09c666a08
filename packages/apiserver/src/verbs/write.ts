import { isJsonObject } from '@slipway/base';
import { denial } from '../auth/denial.ts';
import { type Authorizer, StatusError, type StoredObject } from '../contract.ts';
import { type Answer, json } from '../http/answer.ts';
import { badRequest } from '../status/status-errors.ts';
import type { Store } from '../storage/store.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { parseBody, pruneBody } from '../wire/decode-body.ts';
import { deleteOptionsType, graceOf, readDeleteOptions } from './delete-options.ts';
import type { DeleteOptions } from './deletion.ts';
import { listPage } from './list.ts';
import { parseListOptions } from './list-options.ts';
import {
  type Deletion,
  type ObjectPlace,
  type ObjectWriter,
  resourceKey,
} from './object-writer.ts';
import { renderPage, renderRecord } from './render.ts';
import { fieldValidationOf, type ResourceCall, writeContext } from './resource-call.ts';
import type { WriteContext } from './write-context.ts';

/** Where a call's object is. */
export function placeOf(call: ResourceCall): ObjectPlace {
  const { definition, at } = call;
  return {
    definition,
    namespace: definition.namespaced ? at.namespace : undefined,
    name: at.name ?? '',
    ...(at.subresource === undefined ? {} : { subresource: at.subresource }),
  };
}

function decode(call: ResourceCall, optionsKind: string, context: WriteContext): StoredObject {
  const validation = fieldValidationOf(call, optionsKind);
  const { typeName } = call.definition.schema;
  const raw = parseBody(call.body, call.contentType, {
    ...(typeName === undefined ? {} : { typeName }),
    checkDuplicates: validation !== 'Ignore',
  });
  return pruneBody(call.definition, raw, { validation, warnings: context.warnings });
}

/** POST to a collection. */
export async function createObject(writer: ObjectWriter, call: ResourceCall): Promise<Answer> {
  const { definition, at } = call;
  const context = writeContext(call, 'CreateOptions');
  if (definition.namespaced && at.namespace === undefined) {
    throw badRequest('an empty namespace may not be set during creation');
  }
  const object = decode(call, 'CreateOptions', context);
  const namespace = definition.namespaced ? at.namespace : undefined;
  const record = await writer.create(definition, namespace, object, context);
  return renderRecord(call, 201, record, context.warnings);
}

/** A PUT that creates needs the permission to create. */
function demandCreate(authorizer: Authorizer, call: ResourceCall): void {
  const { group, version, plural, namespace, name } = call.at;
  const attributes = {
    user: call.user,
    verb: 'create',
    apiGroup: group,
    apiVersion: version,
    resource: plural,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  const { allowed, reason } = authorizer.authorize(attributes);
  if (!allowed) throw denial(attributes, reason);
}

async function createMissing(
  writer: ObjectWriter,
  call: ResourceCall,
  object: StoredObject,
  context: WriteContext,
): Promise<Answer> {
  const { namespace, definition, name } = placeOf(call);
  const { resourceVersion: _resourceVersion, uid: _uid, ...metadata } = object.metadata;
  const named = { ...object, metadata: { ...metadata, name } };
  const record = await writer.create(definition, namespace, named, context);
  return renderRecord(call, 201, record, context.warnings);
}

/** PUT of an object or of one of its subresources. */
export async function updateObject(
  services: {
    readonly store: Store;
    readonly writer: ObjectWriter;
    readonly authorizer: Authorizer;
  },
  call: ResourceCall,
): Promise<Answer> {
  const { store, writer, authorizer } = services;
  const { definition } = call;
  const context = writeContext(call, 'UpdateOptions');
  const object = decode(call, 'UpdateOptions', context);
  const place = placeOf(call);
  const key = {
    resource: resourceKey(definition),
    namespace: place.namespace ?? '',
    name: place.name,
  };
  const missing = store.get(key) === undefined && place.subresource === undefined;
  if (missing && definition.createOnUpdate === true) {
    demandCreate(authorizer, call);
    return createMissing(writer, call, object, context);
  }
  const record = await writer.update(place, () => object, context);
  return renderRecord(call, 200, record, context.warnings);
}

/** DeleteOptions of body and query; the body wins. Throws 400 and 422. */
export function deleteOptionsOf(call: ResourceCall): DeleteOptions {
  const { query } = call;
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const fromQuery: DeleteOptions = {
    ...(grace === null ? {} : { gracePeriodSeconds: graceOf(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
  };
  if (call.body.length === 0) return readDeleteOptions(fromQuery);
  const options = { typeName: deleteOptionsType, checkDuplicates: false };
  const { value } = parseBody(call.body, call.contentType, options);
  if (!isJsonObject(value)) throw badRequest('the body of the request is not an object');
  return readDeleteOptions({ ...fromQuery, ...value });
}

function deleteContext(call: ResourceCall, options: DeleteOptions): WriteContext {
  const context = writeContext(call, 'DeleteOptions');
  return { ...context, dryRun: context.dryRun || (options.dryRun ?? []).includes('All') };
}

/** Deletions that took effect answer Success; those that wait answer the marked object. */
function renderDeletion(call: ResourceCall, deletion: Deletion, context: WriteContext): Answer {
  const { definition } = call;
  const { record, gone } = deletion;
  if (!gone) return renderRecord(call, 200, record, context.warnings);
  const { group, plural } = definition;
  if (group === '' && (plural === 'pods' || plural === 'namespaces')) {
    return renderRecord(call, 200, record, context.warnings);
  }
  const { uid } = record.object(definition).metadata;
  return json(
    200,
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name: record.name,
        ...(group === '' ? {} : { group }),
        kind: plural,
        ...(uid === undefined ? {} : { uid }),
      },
    },
    context.warnings,
  );
}

/** DELETE of one object. */
export async function deleteObject(writer: ObjectWriter, call: ResourceCall): Promise<Answer> {
  const options = deleteOptionsOf(call);
  const context = deleteContext(call, options);
  const deletion = await writer.remove(placeOf(call), options, context);
  return renderDeletion(call, deletion, context);
}

/** DELETE of a collection; answers the list of what was deleted. */
export async function deleteCollection(
  store: Store,
  writer: ObjectWriter,
  call: ResourceCall,
): Promise<Answer> {
  const { definition, at } = call;
  const options = deleteOptionsOf(call);
  const context = deleteContext(call, options);
  const listOptions = parseListOptions(definition, call.query);
  const page = listPage(store, definition, at.namespace, listOptions);
  const deletions = page.records.map(async (record): Promise<StoredRecord[]> => {
    const namespace = definition.namespaced ? record.namespace : undefined;
    try {
      const place = { definition, namespace, name: record.name };
      return [(await writer.remove(place, options, context)).record];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  });
  const records = (await Promise.all(deletions)).flat();
  return renderPage(call, { ...page, records });
}

function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.status.code === 404;
}
