import { isJsonObject } from '@slipway/base';
import type { ResourceDefinition, StoredObject } from '../contract.ts';
import { contentTypeOf } from '../http/media-type.ts';
import { badRequest, unsupportedMediaType } from '../status/status-errors.ts';
import { apiVersionOfKind } from '../storage/stored-record.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { parseJson } from './parse-json.ts';
import { decodeProtobuf, protobufType } from './protobuf.ts';

/** How strictly a body is read, and where its warnings go. */
export type DecodeOptions = {
  readonly validation: 'Ignore' | 'Warn' | 'Strict';
  readonly warnings: string[];
};

const jsonTypes = ['', 'application/json'];
const accepted = ['application/json', protobufType];

/** A decoded but not yet pruned body. */
export type RawBody = { readonly value: unknown; readonly duplicates: readonly string[] };

/** Parses a JSON or protobuf body; throws 400 and 415. `typeName` is set for kinds that protobuf knows. */
export function parseBody(
  body: Buffer,
  contentType: string,
  options: { readonly typeName?: string; readonly checkDuplicates: boolean },
): RawBody {
  const type = contentTypeOf(contentType);
  if (type === protobufType && options.typeName !== undefined) {
    return { value: decodeProtobuf(body, options.typeName), duplicates: [] };
  }
  if (!jsonTypes.includes(type)) throw unsupportedMediaType(accepted);
  const text = body.toString('utf8');
  try {
    const value = parseJson(text);
    return { value, duplicates: options.checkDuplicates ? duplicateFields(text) : [] };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw badRequest(`couldn't get version/kind; json parse error: ${cause}`);
  }
}

function checkType(definition: ResourceDefinition, value: Record<string, unknown>): void {
  const expected = apiVersionOfKind(definition);
  const { apiVersion, kind } = value;
  if (definition.custom && (kind === undefined || kind === '')) {
    throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
  }
  if (apiVersion !== undefined && apiVersion !== '' && apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== undefined && kind !== '' && kind !== definition.kind) {
    throw badRequest(
      `${String(kind)} in version "${definition.version}" cannot be handled as a ${definition.kind}: unknown conversion`,
    );
  }
}

function strictMessages(unknown: readonly string[], duplicates: readonly string[]): string[] {
  return [
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
    ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
  ];
}

/** Drops what the kind does not know; unknown and duplicate fields are warnings or a 400. */
export function pruneBody(
  definition: ResourceDefinition,
  raw: RawBody,
  options: DecodeOptions,
): StoredObject {
  if (!isJsonObject(raw.value)) throw badRequest('the body of the request is not an object');
  checkType(definition, raw.value);
  const { object, unknownFields } = definition.schema.prune(raw.value);
  const messages = strictMessages(unknownFields, raw.duplicates);
  if (messages.length > 0 && options.validation === 'Strict') {
    throw badRequest(
      `${definition.kind} in version "${definition.version}" cannot be handled as a ${definition.kind}: strict decoding error: ${messages.join(', ')}`,
    );
  }
  if (options.validation === 'Warn') options.warnings.push(...messages);
  return object;
}
