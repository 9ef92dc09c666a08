import type { ObjectSchema, StoredObject } from '../contract.ts';
import { openApiOf } from '../types/open-api.ts';
import { pruneAs } from '../types/prune.ts';
import type { Draft } from './defaults/draft.ts';

export type BuiltinType = {
  /** Full name in the type tables. */
  readonly typeName: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Sets what is absent, in a copy. */
  readonly defaults?: (draft: Draft) => void;
};

/** The schema of a built-in kind, from the type tables. */
export function builtinSchema(type: BuiltinType): ObjectSchema {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return {
    prune(object) {
      const pruned = pruneAs(type.typeName, object, type.kind, type.version);
      const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = pruned.object;
      const known = { apiVersion, kind: type.kind, metadata: metadata ?? {}, ...rest };
      return { object: known as StoredObject, unknownFields: pruned.unknownFields };
    },
    applyDefaults(object) {
      if (type.defaults === undefined) return object;
      const draft: Draft = structuredClone(object);
      type.defaults(draft);
      return draft as StoredObject;
    },
    validate: () => [],
    strategicMerge: true,
    typeName: type.typeName,
    get openApi() {
      return openApiOf(type.typeName);
    },
  };
}
