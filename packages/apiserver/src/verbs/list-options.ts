import type { FieldError, ResourceDefinition } from '../contract.ts';
import { type FieldSelector, parseFieldSelector } from '../request/field-selector.ts';
import { parseLabelSelector, type Selector } from '../request/label-selector.ts';
import { forbidden, notSupported } from '../schema/field-errors.ts';
import { badRequest, invalid } from '../status/status-errors.ts';

/** Where a continued list goes on. */
export type Continuation = { readonly revision: number; readonly start: string };

/** ListOptions of a request, checked against each other. */
export type ListOptions = {
  readonly labels: Selector;
  readonly fields: FieldSelector;
  /** 0: no limit. */
  readonly limit: number;
  readonly continuation?: Continuation;
  /** Undefined: the newest state. */
  readonly revision?: number;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  readonly sendInitialEvents?: boolean;
  readonly allowBookmarks: boolean;
  /** Undefined: the server chooses. */
  readonly timeoutSeconds?: number;
};

const listOptionsKind = { group: 'meta.k8s.io', kind: 'ListOptions' };

/** A token that starts at `start` (exclusive) of the state at `revision`; -1: the newest state. */
export function encodeContinue(continuation: Continuation): string {
  const token = { v: 'meta.k8s.io/v1', rv: continuation.revision, start: continuation.start };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function decodeContinue(text: string): Continuation {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (
      token.v === 'meta.k8s.io/v1' &&
      typeof token.start === 'string' &&
      Number.isInteger(token.rv)
    ) {
      return { revision: token.rv, start: token.start };
    }
  } catch {
    // falls through to the refusal
  }
  throw badRequest('continue key is not valid: invalid continue token');
}

function parseRevision(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw invalid(listOptionsKind, '', [
    {
      reason: 'FieldValueInvalid',
      field: 'resourceVersion',
      message: `Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    },
  ]);
}

function matchErrors(query: URLSearchParams): FieldError[] {
  const field = 'resourceVersionMatch';
  const match = query.get(field) ?? '';
  const revision = query.get('resourceVersion') ?? '';
  const initial = query.get('sendInitialEvents');
  if (match === '') {
    return initial === null
      ? []
      : [
          forbidden(
            field,
            'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
          ),
        ];
  }
  if (query.get('continue'))
    return [forbidden(field, 'resourceVersionMatch is forbidden when continue is provided')];
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    return [notSupported(field, match, ['Exact', 'NotOlderThan', ''])];
  }
  if (initial !== null) return [];
  if (revision === '') {
    return [
      forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    ];
  }
  return match === 'Exact' && revision === '0'
    ? [forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
    : [];
}

function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value === 'true' || value === '1';
}

function count(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value)) throw badRequest(`invalid query parameter ${name}: ${text}`);
  return value;
}

/** Reads the query of a list or watch; throws 400 and 422. */
export function parseListOptions(
  definition: ResourceDefinition,
  query: URLSearchParams,
): ListOptions {
  const errors = matchErrors(query);
  if (errors.length > 0) throw invalid(listOptionsKind, '', errors);
  const token = query.get('continue') ?? '';
  const revision = query.get('resourceVersion') ?? '';
  if (token !== '' && revision !== '' && revision !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const initial = flag(query, 'sendInitialEvents');
  const timeoutSeconds = count(query, 'timeoutSeconds');
  return {
    labels: parseLabelSelector(query.get('labelSelector')),
    fields: parseFieldSelector(definition, query.get('fieldSelector')),
    limit: count(query, 'limit') ?? 0,
    ...(token === '' ? {} : { continuation: decodeContinue(token) }),
    ...(revision === '' ? {} : { revision: parseRevision(revision) }),
    match: (query.get('resourceVersionMatch') ?? '') as ListOptions['match'],
    ...(initial === undefined ? {} : { sendInitialEvents: initial }),
    allowBookmarks: flag(query, 'allowWatchBookmarks') === true,
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  };
}
