import { randomUUID } from 'node:crypto';
import type { Status } from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import {
  type AdmissionRequest,
  type ResourceDefinition,
  StatusError,
  type StoredObject,
} from '../contract.ts';

export const reviewVersion = 'admission.k8s.io/v1';

/** What a webhook answered. */
export type Review = {
  readonly allowed: boolean;
  readonly status?: Status;
  readonly warnings: readonly string[];
};

/** The `request` of an AdmissionReview, and the variables of match conditions. */
export type ReviewRequest = Readonly<Record<string, unknown>> & { readonly uid: string };

function kindOf({ group, version, kind }: ResourceDefinition) {
  return { group, version, kind };
}

function resourceOf({ group, version, plural }: ResourceDefinition) {
  return { group, version, resource: plural };
}

/** Versions of a custom kind differ by name only: there is no conversion. */
function asVersion(
  object: StoredObject | undefined,
  definition: ResourceDefinition,
): StoredObject | null {
  if (object === undefined) return null;
  const { group, version } = definition;
  return { ...object, apiVersion: group === '' ? version : `${group}/${version}` };
}

/** The request as a webhook sees it, at the version that it asked for. */
export function reviewRequest(request: AdmissionRequest, seen: ResourceDefinition): ReviewRequest {
  const { user, subresource, namespace, definition } = request;
  const sub =
    subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource };
  return {
    uid: randomUUID(),
    kind: kindOf(seen),
    resource: resourceOf(seen),
    requestKind: kindOf(definition),
    requestResource: resourceOf(definition),
    ...sub,
    name: request.name,
    ...(namespace === undefined ? {} : { namespace }),
    operation: request.operation,
    userInfo: {
      username: user.name,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      groups: user.groups,
      ...(user.extra === undefined ? {} : { extra: user.extra }),
    },
    object: asVersion(request.object, seen),
    oldObject: asVersion(request.oldObject, seen),
    dryRun: request.dryRun,
    options: request.options ?? null,
  };
}

/** Reads an AdmissionReview's answer to `uid`. Throws an Error that says what is wrong with it. */
export function readReview(body: string, uid: string): Review {
  const review: unknown = JSON.parse(body);
  if (!isJsonObject(review) || review['kind'] !== 'AdmissionReview') {
    throw new Error('expected webhook response of kind AdmissionReview');
  }
  if (review['apiVersion'] !== reviewVersion) {
    throw new Error(
      `expected webhook response of ${reviewVersion}, Kind=AdmissionReview, got ${String(review['apiVersion'])}, Kind=AdmissionReview`,
    );
  }
  const { response } = review;
  if (!isJsonObject(response)) throw new Error('webhook response was absent');
  if (response['uid'] !== uid) {
    throw new Error(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`,
    );
  }
  const { warnings, status } = response;
  return {
    allowed: response['allowed'] === true,
    ...(isJsonObject(status) ? { status } : {}),
    warnings: Array.isArray(warnings) ? warnings.filter((text) => typeof text === 'string') : [],
  };
}

function explanation({ message, reason }: Status): string {
  if (message !== undefined && message !== '') return `: ${message}`;
  return reason !== undefined && reason !== '' ? `: ${reason}` : ' without explanation';
}

/** What of a webhook's Status may be passed on; anything may come from there, and the code becomes a status line. */
function plainStatus(value: Readonly<Record<string, unknown>>): Status & { readonly code: number } {
  const { code, message, reason } = value;
  const isFailure = Number.isInteger(code) && Number(code) >= 400 && Number(code) <= 599;
  return {
    code: isFailure ? Number(code) : 400,
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

/** The answer to the client when a webhook said no. */
export function webhookDenial(name: string, given: Status = {}): StatusError {
  const status = plainStatus(given);
  return new StatusError({
    ...status,
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `admission webhook ${JSON.stringify(name)} denied the request${explanation(status)}`,
  });
}
