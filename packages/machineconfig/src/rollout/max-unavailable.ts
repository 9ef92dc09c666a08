import type { Issue } from '@slipway/base';
import { issueCode } from '../errors.ts';

/** How many nodes may be unavailable at once; `issue` is set when the pool's value is malformed. */
export type UnavailableLimit = { readonly limit: number; readonly issue?: Issue };

/** Used when the pool says nothing, or something that cannot be read. */
const defaultLimit = 1;

function malformed(value: unknown): UnavailableLimit {
  const issue: Issue = {
    code: issueCode.maxUnavailableInvalid,
    severity: 'error',
    path: 'spec.maxUnavailable',
    message: `${JSON.stringify(value)} is neither a number of nodes nor a percentage; ${defaultLimit} is used`,
    hint: 'write 2 or "20%"',
  };
  return { limit: defaultLimit, issue };
}

/**
 * Resolves `spec.maxUnavailable` for a pool of `nodeCount` nodes: a number, or `"N%"` rounded down;
 * never less than 1. A malformed value is reported and counts as 1, so that nothing stalls silently.
 */
export function resolveMaxUnavailable(value: unknown, nodeCount: number): UnavailableLimit {
  if (value === undefined || value === null) return { limit: defaultLimit };
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 ? { limit: Math.max(1, value) } : malformed(value);
  const percent = typeof value === 'string' ? /^([0-9]{1,4})%$/.exec(value)?.[1] : undefined;
  if (percent === undefined) return malformed(value);
  return { limit: Math.max(1, Math.floor((nodeCount * Number(percent)) / 100)) };
}
