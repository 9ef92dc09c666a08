import { type Answer, json, jsonText } from '../http/answer.ts';
import { negotiate, type Representation } from '../http/representation.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { apiVersionOfKind } from '../storage/stored-record.ts';
import type { Page } from './list.ts';
import type { ResourceCall } from './resource-call.ts';
import { columnDefinitions, type IncludeObject, partialObject, table, tableRow } from './table.ts';

/** Reads `includeObject=`. */
export function includeOf(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject');
  return value === 'None' || value === 'Object' ? value : 'Metadata';
}

/** Answers one object in the form that the client accepts. */
export function renderRecord(
  call: ResourceCall,
  code: number,
  record: StoredRecord,
  warnings: readonly string[] = [],
): Answer {
  const { definition } = call;
  const representation = negotiate(call.accept);
  if (representation.form === 'object') return jsonText(code, record.text(definition), warnings);
  const object = record.object(definition);
  const { apiVersion } = representation;
  if (representation.form === 'metadata') {
    return json(code, partialObject(object, apiVersion), warnings);
  }
  const row = tableRow(definition, object, includeOf(call.query), apiVersion);
  const metadata = { resourceVersion: String(record.revision) };
  return json(code, table(metadata, columnDefinitions(definition), [row], apiVersion), warnings);
}

function listMetadata(page: Page) {
  return {
    resourceVersion: String(page.revision),
    ...(page.continue === undefined ? {} : { continue: page.continue }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
}

function* objectItems(call: ResourceCall, page: Page): Generator<string> {
  const { definition } = call;
  const kind = JSON.stringify(definition.listKind);
  const apiVersion = JSON.stringify(apiVersionOfKind(definition));
  const metadata = JSON.stringify(listMetadata(page));
  yield `{"kind":${kind},"apiVersion":${apiVersion},"metadata":${metadata},"items":[`;
  let first = true;
  for (const record of page.records) {
    // Items of built-in lists carry no kind; those of custom lists do.
    const text = definition.custom ? record.text(definition) : record.body;
    yield first ? text : `,${text}`;
    first = false;
  }
  yield ']}';
}

function* derivedItems(
  call: ResourceCall,
  page: Page,
  representation: Exclude<Representation, { form: 'object' }>,
): Generator<string> {
  const { definition } = call;
  const { apiVersion, form } = representation;
  const isTable = form === 'table';
  const include = includeOf(call.query);
  const kind = isTable ? 'Table' : 'PartialObjectMetadataList';
  const headers = isTable
    ? `"columnDefinitions":${JSON.stringify(columnDefinitions(definition))},`
    : '';
  const metadata = JSON.stringify(listMetadata(page));
  yield `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${metadata},${headers}"${isTable ? 'rows' : 'items'}":[`;
  let separator = '';
  for (const record of page.records) {
    const object = record.object(definition);
    const item = isTable
      ? tableRow(definition, object, include, apiVersion)
      : partialObject(object, apiVersion);
    yield `${separator}${JSON.stringify(item)}`;
    separator = ',';
  }
  yield ']}';
}

/** Answers a page in the form that the client accepts. */
export function renderPage(call: ResourceCall, page: Page): Answer {
  const representation = negotiate(call.accept);
  const body =
    representation.form === 'object'
      ? objectItems(call, page)
      : derivedItems(call, page, representation);
  return { kind: 'body', code: 200, contentType: 'application/json', body };
}
