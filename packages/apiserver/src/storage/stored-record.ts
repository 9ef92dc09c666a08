import type { StoredObject } from '../contract.ts';

/** Where an object is kept: `resource` is `<group>/<plural>`, so that all versions share one storage. */
export type RecordKey = {
  readonly resource: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
};

/** Group, version and kind: what the stored text leaves out. */
export type TypeMeta = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
};

/** `apiVersion` of a kind. */
export function apiVersionOfKind(type: TypeMeta): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/**
 * One version of an object, as JSON text without `kind` and `apiVersion`. Text costs a fraction of
 * the parsed object, and lists and watches copy it as it is; who needs fields asks for `object`.
 */
export class StoredRecord {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly body: string;
  #parsed: WeakRef<StoredObject> | undefined;

  constructor(key: RecordKey, revision: number, body: string) {
    this.resource = key.resource;
    this.namespace = key.namespace;
    this.name = key.name;
    this.revision = revision;
    this.body = body;
  }

  /** The parsed object; kept only as long as somebody uses it. Never change it. */
  object(type: TypeMeta): StoredObject {
    const apiVersion = apiVersionOfKind(type);
    const kept = this.#parsed?.deref();
    if (kept !== undefined && kept.apiVersion === apiVersion) return kept;
    const parsed: StoredObject = { kind: type.kind, apiVersion, ...JSON.parse(this.body) };
    this.#parsed = new WeakRef(parsed);
    return parsed;
  }

  /** The whole JSON text. */
  text(type: TypeMeta): string {
    return `{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(apiVersionOfKind(type))},${this.body.slice(1)}`;
  }
}

/** The text that is stored for `object` once `revision` is known. */
export function encodeBody(object: StoredObject, revision: number): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  return JSON.stringify({ metadata: { ...metadata, resourceVersion: String(revision) }, ...rest });
}
