import { checkPlace, resolvePointer } from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import { applyPatch, type Operation } from 'rfc6902';
import { StatusError } from '../contract.ts';
import { badRequest, entityTooLarge } from '../status/status-errors.ts';

const maxOperations = 10_000;
/** What all `copy` operations of a patch may add, in characters: copies of copies double each time. */
const maxCopied = 3 * 1024 * 1024;
const known = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

function isOperation(value: unknown): value is Operation {
  if (!isJsonObject(value) || typeof value['path'] !== 'string') return false;
  const { op } = value;
  if (op === 'move' || op === 'copy') return typeof value['from'] === 'string';
  return known.includes(String(op)) && (op === 'remove' || 'value' in value);
}

function rejected(cause: string): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the server rejected our request due to an error in our request: ${cause}`,
    reason: 'Invalid',
    details: {},
    code: 422,
  });
}

/** Looks before the library leaps: it follows inherited members and bends indices. Returns what is copied. */
function checkPointers(document: unknown, operation: Operation): number {
  switch (operation.op) {
    case 'add':
      checkPlace(document, operation.path);
      return 0;
    case 'move':
    case 'copy': {
      const moved = resolvePointer(document, operation.from);
      checkPlace(document, operation.path);
      return operation.op === 'copy' ? JSON.stringify(moved).length : 0;
    }
    default:
      resolvePointer(document, operation.path);
      return 0;
  }
}

function applyAll(document: unknown, operations: readonly Operation[]): unknown {
  // The library cannot replace the root, only what is in it.
  const root = { object: structuredClone(document) };
  let copied = 0;
  for (const operation of operations) {
    copied += checkPointers(root.object, operation);
    if (copied > maxCopied) throw new RangeError(`copies exceed the limit of ${maxCopied}`);
    const inside = (pointer: string) => `/object${pointer}`;
    const moved = 'from' in operation ? { from: inside(operation.from) } : {};
    const [error] = applyPatch(root, [{ ...operation, ...moved, path: inside(operation.path) }]);
    if (error) throw error;
  }
  return root.object;
}

/** RFC 6902; throws 400 for what is no patch, 422 for one that does not fit the object. */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    );
  }
  if (patch.length > maxOperations) throw entityTooLarge(maxOperations);
  const operations = patch.map((operation: unknown) => {
    if (isOperation(operation)) return operation;
    throw badRequest(`error decoding patch: unexpected operation ${JSON.stringify(operation)}`);
  });
  try {
    return applyAll(target, operations);
  } catch (error) {
    throw rejected(error instanceof Error ? error.message : String(error));
  }
}
