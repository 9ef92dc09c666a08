import { mergePatch, PatchError, strategicMergePatch } from '@slipway/api';
import { isJsonObject, type JsonObject, UserError } from '@slipway/base';
import type { BootstrapErrorCode } from '../errors.ts';
import { checkShape } from './check-shape.ts';
import { applyJsonPatch } from './json-patch.ts';
import type { Patch } from './load-patches.ts';
import type { PatchTarget } from './patch-file-name.ts';
import { patchSchemaOf } from './patch-schema.ts';

/**
 * `object` after all patches of `target`, in their order. Throws a UserError that names the file and the
 * place of a patch that does not fit.
 */
export function applyPatches(
  target: PatchTarget,
  object: JsonObject,
  patches: readonly Patch[],
): JsonObject {
  return patches
    .filter((patch) => patch.target === target)
    .reduce((current, patch) => applyOne(current, patch), object);
}

function applyOne(object: JsonObject, patch: Patch): JsonObject {
  try {
    const patched = patchedBy(object, patch);
    // Targets and patches are JSON, and so is what comes of them.
    if (!isJsonObject(patched)) throw new PatchError('what it leaves is no object');
    checkShape(object, patched);
    return patched as JsonObject;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { file, position, kind, target } = patch;
    const code: BootstrapErrorCode = 'bootstrap.patches.misfit';
    const place = `${file}:${position.line}:${position.column}`;
    throw new UserError(`apply ${kind} patch ${place} to ${target}: ${error.message}`, { code });
  }
}

function patchedBy(object: JsonObject, { kind, content, target }: Patch): unknown {
  if (kind === 'merge') return mergePatch(object, content);
  if (kind === 'json') return applyJsonPatch(object, Array.isArray(content) ? content : []);
  return strategicMergePatch(object, content, patchSchemaOf(target));
}
