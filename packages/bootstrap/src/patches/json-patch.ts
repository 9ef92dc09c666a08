import { checkPlace, PatchError, resolvePointer } from '@slipway/api';
import { isJsonObject, namesPrototype } from '@slipway/base';
import { applyPatch, type Operation } from 'rfc6902';

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** `target` after a JSON patch (RFC 6902); throws a PatchError. Its argument stays as it is. */
export function applyJsonPatch(target: unknown, patch: readonly unknown[]): unknown {
  // The library changes what is in an object, not the object itself.
  const root = { object: structuredClone(target) };
  for (const [index, operation] of patch.entries()) {
    const problem = `operation ${index}`;
    if (!isOperation(operation)) throw new PatchError(`${problem}: it is no operation of RFC 6902`);
    // As in the API server; the library loses it, or takes it for what the value inherits.
    if ('value' in operation && namesPrototype(operation.value))
      throw new PatchError(`${problem}: a member __proto__ is not supported`);
    try {
      checkPointers(root.object, operation);
      const moved = 'from' in operation ? { from: `/object${operation.from}` } : {};
      const [error] = applyPatch(root, [
        { ...operation, ...moved, path: `/object${operation.path}` },
      ]);
      if (error) throw error;
    } catch (error) {
      throw new PatchError(`${problem}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return root.object;
}

function isOperation(value: unknown): value is Operation {
  if (!isJsonObject(value) || typeof value['path'] !== 'string') return false;
  const { op } = value;
  if (op === 'move' || op === 'copy') return typeof value['from'] === 'string';
  return operations.includes(String(op)) && (op === 'remove' || 'value' in value);
}

/** The library follows inherited members and bends indices: looked at before. */
function checkPointers(document: unknown, operation: Operation): void {
  if (operation.op === 'add') checkPlace(document, operation.path);
  else if (operation.op === 'move' || operation.op === 'copy') {
    resolvePointer(document, operation.from);
    checkPlace(document, operation.path);
  } else resolvePointer(document, operation.path);
}
