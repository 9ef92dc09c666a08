import type { Status } from '@slipway/api';
import { type ErrorKind, isJsonObject, SlipwayError } from '@slipway/base';
import type { ApiFailure } from './client/kube-client.ts';

/** Every code that this room raises, and what it means. */
export const kubeErrorCodes = {
  'kube.api-failure': 'the API server answered with a failure; `status` tells which',
  'kube.bad-kubeconfig': 'a kubeconfig is malformed or names something it does not hold',
  'kube.bad-request': 'a caller asked for something that has no path: an empty name, no namespace',
  'kube.bad-response': 'an answer is not what the API promises: no JSON, a cut line',
  'kube.bad-server': 'the server of a connection is not an https address',
  'kube.closed': 'the client was closed',
  'kube.connection': 'the connection to the API server failed or broke',
  'kube.credentials': 'a certificate, key or token of the connection cannot be read or used',
  'kube.lease-lost': 'leadership was lost: the lease could not be renewed in time',
  'kube.no-index': 'an informer was asked for an index that was not declared',
  'kube.response-too-large': 'an answer is larger than the client accepts',
  'kube.stopped': 'a component was stopped before it became ready',
  'kube.timeout': 'the API server did not answer in time',
  'kube.watch-idle': 'a watch heard nothing, not even a bookmark, for too long',
} as const;

export type KubeErrorCode = keyof typeof kubeErrorCodes;

/** An answer of the API server that is not a success. */
export class ApiError extends SlipwayError {
  readonly kind: ErrorKind;
  /** The server's Status; made up from the HTTP code where the body was none. */
  readonly status: ApiFailure;
  /** What the Retry-After header asked for, in ms. */
  readonly retryAfterMs?: number;

  constructor(action: string, status: ApiFailure, retryAfterMs?: number) {
    super(`${action}: ${status.message ?? status.reason ?? `status ${status.code}`}`, {
      code: 'kube.api-failure' satisfies KubeErrorCode,
    });
    this.status = status;
    this.kind = isWorthRetrying(status.code) ? 'transient' : 'terminal';
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

function isWorthRetrying(code: number): boolean {
  return code === 408 || code === 409 || code === 410 || code === 429 || code >= 500;
}

/** The Status in `body`, or one made from the HTTP code and the beginning of the text (proxies answer so). */
export function toApiFailure(httpCode: number, body: string): ApiFailure {
  const status = parseStatus(body);
  if (status !== undefined) return { ...status, code: status.code ?? httpCode };
  const excerpt = body.trim().slice(0, 200);
  return {
    kind: 'Status',
    status: 'Failure',
    code: httpCode,
    message: excerpt === '' ? `the server answered ${httpCode}` : excerpt,
  };
}

function parseStatus(body: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) && value['kind'] === 'Status' ? (value as Status) : undefined;
  } catch {
    // Not JSON: a proxy or a server that is starting.
    return undefined;
  }
}

function hasCode(error: unknown, code: number): error is ApiError {
  return error instanceof ApiError && error.status.code === code;
}

/** 401: the credentials are not accepted. */
export function isUnauthorized(error: unknown): error is ApiError {
  return hasCode(error, 401);
}

export function isForbidden(error: unknown): error is ApiError {
  return hasCode(error, 403);
}

/** 404 of an object, of a resource that is not served, and of a path. */
export function isNotFound(error: unknown): error is ApiError {
  return hasCode(error, 404);
}

/** A concurrent write or a failed precondition; `isAlreadyExists` is not one. */
export function isConflict(error: unknown): error is ApiError {
  return hasCode(error, 409) && error.status.reason !== 'AlreadyExists';
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return hasCode(error, 409) && error.status.reason === 'AlreadyExists';
}

/** The revision or the continue token is too old: list again. */
export function isGone(error: unknown): error is ApiError {
  return hasCode(error, 410);
}

export function isInvalid(error: unknown): error is ApiError {
  return hasCode(error, 422);
}

/** For an eviction: a PodDisruptionBudget refuses it for now. */
export function isTooManyRequests(error: unknown): error is ApiError {
  return hasCode(error, 429);
}

/** The server does not know the revision yet, as after its store was replaced: list again. */
export function isRevisionTooLarge(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const causes = error.status.details?.causes ?? [];
  return causes.some((cause) => cause.reason === 'ResourceVersionTooLarge');
}
