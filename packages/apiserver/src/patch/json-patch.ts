import { isJsonObject } from '@slipway/base';
import { applyPatch, type Operation } from 'rfc6902';
import { StatusError } from '../contract.ts';
import { badRequest, entityTooLarge } from '../status/status-errors.ts';

const maxOperations = 10_000;
const known = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

function isOperation(value: unknown): value is Operation {
  return (
    isJsonObject(value) && known.includes(String(value['op'])) && typeof value['path'] === 'string'
  );
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
  const result = structuredClone(target);
  for (const error of applyPatch(result, operations)) {
    if (error !== null) throw rejected(error.message);
  }
  return result;
}
