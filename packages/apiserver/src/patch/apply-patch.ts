import { mergePatch, PatchError, strategicMergePatch } from '@slipway/api';
import type { ResourceDefinition } from '../contract.ts';
import { contentTypeOf } from '../http/media-type.ts';
import { badRequest, unsupportedMediaType } from '../status/status-errors.ts';
import { parseJson } from '../wire/parse-json.ts';
import { jsonPatch } from './json-patch.ts';
import { patchSchemaOf } from './patch-schema.ts';

export const jsonPatchType = 'application/json-patch+json';
export const mergePatchType = 'application/merge-patch+json';
export const strategicPatchType = 'application/strategic-merge-patch+json';

/** Changes the JSON of an object; its argument stays as it is. */
export type Patcher = (object: unknown) => unknown;

/** Patch types of a kind, as its 415 lists them. Server-side apply is not served. */
export function patchTypes(definition: ResourceDefinition): readonly string[] {
  return definition.schema.strategicMerge
    ? [jsonPatchType, mergePatchType, strategicPatchType]
    : [jsonPatchType, mergePatchType];
}

function parse(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8'));
  } catch (error) {
    throw badRequest(
      `error decoding patch: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Reads the patch of a request; throws 400 and 415. */
export function patcherOf(
  definition: ResourceDefinition,
  contentType: string,
  body: Buffer,
): Patcher {
  const type = contentTypeOf(contentType);
  if (!patchTypes(definition).includes(type)) throw unsupportedMediaType(patchTypes(definition));
  const patch = parse(body);
  switch (type) {
    case jsonPatchType:
      return (object) => jsonPatch(object, patch);
    case mergePatchType:
      return (object) => mergePatch(object, patch);
    default: {
      const typeName = definition.schema.typeName ?? '';
      return (object) => strategically(object, patch, typeName);
    }
  }
}

function strategically(object: unknown, patch: unknown, typeName: string): unknown {
  try {
    return strategicMergePatch(object, patch, patchSchemaOf(typeName));
  } catch (error) {
    if (error instanceof PatchError) throw badRequest(error.message);
    throw error;
  }
}
