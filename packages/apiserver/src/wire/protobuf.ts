import { badRequest } from '../status/status-errors.ts';
import { type Field, type FieldType, shapeOf } from '../types/type-table.ts';
import { parseJson } from './parse-json.ts';
import { WireReader } from './wire-reader.ts';

/** Media type of Kubernetes protobuf bodies. */
export const protobufType = 'application/vnd.kubernetes.protobuf';

const magic = Buffer.from('6b387300', 'hex');
const nanosPerMicro = 1000;

type Draft = Record<string, unknown>;

function decodeTime(bytes: Buffer, fraction: boolean): string | null {
  // Go's zero time is an empty message, and null in JSON.
  if (bytes.length === 0) return null;
  let seconds = 0;
  let nanos = 0;
  for (const { number, value } of new WireReader(bytes)) {
    if (number === 1) seconds = Number(value);
    if (number === 2) nanos = Number(value);
  }
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  if (!fraction) return `${whole}Z`;
  return `${whole}.${String(Math.floor(nanos / nanosPerMicro)).padStart(6, '0')}Z`;
}

function decodeIntOrString(bytes: Buffer): number | string {
  let isString = false;
  let number = 0;
  let text = '';
  for (const field of new WireReader(bytes)) {
    if (field.number === 1) isString = field.value === 1n;
    if (field.number === 2) number = Number(BigInt.asIntN(32, field.value as bigint));
    if (field.number === 3) text = String(field.value);
  }
  return isString ? text : number;
}

function firstText(bytes: Buffer): string {
  for (const { number, value } of new WireReader(bytes)) if (number === 1) return String(value);
  return '';
}

function decodeStrings(bytes: Buffer): string[] {
  return [...new WireReader(bytes)]
    .filter(({ number }) => number === 1)
    .map(({ value }) => String(value));
}

function decodeDuration(bytes: Buffer): string {
  for (const { number, value } of new WireReader(bytes)) {
    if (number === 1) return `${Number(value) / 1e9}s`;
  }
  return '0s';
}

const schemaType = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

/** JSONSchemaProps' unions: either a schema, or a flag or a list. */
function decodeUnion(kind: string, bytes: Buffer): unknown {
  const list: unknown[] = [];
  let single: unknown;
  for (const { number, value } of new WireReader(bytes)) {
    if (kind === 'schemaOrBool') {
      if (number === 1) single ??= value === 1n;
      else single = decodeMessage(value as Buffer, schemaType);
    } else if (number === 1) single = decodeMessage(value as Buffer, schemaType);
    else
      list.push(
        kind === 'schemaOrArray' ? decodeMessage(value as Buffer, schemaType) : String(value),
      );
  }
  return single ?? (list.length === 0 ? null : list);
}

function decodeBytes(type: FieldType, bytes: Buffer): unknown {
  switch (type.kind) {
    case 'bytes':
      return bytes.toString('base64');
    case 'time':
    case 'microtime':
      return decodeTime(bytes, type.kind === 'microtime');
    case 'quantity':
      return firstText(bytes);
    case 'intstr':
      return decodeIntOrString(bytes);
    case 'duration':
      return decodeDuration(bytes);
    case 'raw': {
      const text = firstText(bytes);
      return text === '' ? null : parseJson(text);
    }
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return decodeUnion(type.kind, bytes);
    case 'object':
      return decodeMessage(bytes, type.type);
    case 'list':
      return decodeStrings(bytes);
    default:
      return bytes.toString('utf8');
  }
}

function decodeScalar(type: FieldType, value: bigint | number | Buffer): unknown {
  if (Buffer.isBuffer(value)) return decodeBytes(type, value);
  if (type.kind === 'boolean') return value === 1n;
  if (typeof value === 'number') return value;
  const bits = type.kind === 'int32' ? 32 : 64;
  return Number(BigInt.asIntN(bits, value));
}

function addMapEntry(target: Draft, name: string, element: FieldType, bytes: Buffer): void {
  let key = '';
  let item: unknown = element.kind === 'list' ? [] : '';
  for (const { number, value } of new WireReader(bytes)) {
    if (number === 1) key = String(value);
    if (number === 2) item = decodeScalar(element, value);
  }
  target[name] ??= {};
  (target[name] as Draft)[key] = item;
}

function addField(target: Draft, field: Field, value: bigint | number | Buffer): void {
  const { name, type } = field;
  if (type.kind === 'map') addMapEntry(target, name, type.element, value as Buffer);
  else if (type.kind === 'list' && type.wrapped !== true) {
    target[name] ??= [];
    (target[name] as unknown[]).push(decodeScalar(type.element, value));
  } else target[name] = decodeScalar(type, value);
}

function decodeMessage(bytes: Buffer, typeName: string): Draft {
  const { wire } = shapeOf(typeName);
  const result: Draft = {};
  for (const { number, value } of new WireReader(bytes)) {
    const known = wire.get(number);
    if (known === undefined) continue;
    const { field, inline } = known;
    if (inline && field.type.kind === 'object') {
      Object.assign(result, decodeMessage(value as Buffer, field.type.type));
    } else addField(result, field, value);
  }
  return result;
}

type Envelope = { apiVersion: string; kind: string; raw: Buffer };

function decodeEnvelope(body: Buffer): Envelope {
  const envelope: Envelope = { apiVersion: '', kind: '', raw: Buffer.alloc(0) };
  for (const { number, value } of new WireReader(body.subarray(magic.length))) {
    if (number === 2) envelope.raw = value as Buffer;
    if (number !== 1) continue;
    for (const entry of new WireReader(value as Buffer)) {
      if (entry.number === 1) envelope.apiVersion = String(entry.value);
      if (entry.number === 2) envelope.kind = String(entry.value);
    }
  }
  return envelope;
}

/** Decodes an enveloped body as the JSON that Go would write for it; throws 400 for torn ones. */
export function decodeProtobuf(body: Buffer, typeName: string): Draft {
  if (!body.subarray(0, magic.length).equals(magic)) {
    throw badRequest(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  try {
    const { apiVersion, kind, raw } = decodeEnvelope(body);
    return { ...decodeMessage(raw, typeName), apiVersion, kind };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw badRequest(`unable to decode protobuf body: ${cause}`);
  }
}
