import { type FieldError, StatusError } from '../contract.ts';

/** Constructors of failures in kube-apiserver's exact words (apimachinery `pkg/api/errors`). */

/** Group and plural of what was asked for. */
export type GroupResource = { readonly group: string; readonly plural: string };
/** Group and kind of what was sent. */
export type GroupKind = { readonly group: string; readonly kind: string };

type Details = NonNullable<StatusError['status']['details']>;

function failure(code: number, reason: string, message: string, details?: Details): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

function qualified(resource: GroupResource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

function resourceDetails(resource: GroupResource, name: string): Details {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

/** 404: `pods "x" not found`. */
export function notFound(resource: GroupResource, name: string): StatusError {
  const details = resourceDetails(resource, name);
  return failure(404, 'NotFound', `${qualified(resource)} "${name}" not found`, details);
}

/** 404 of a path whose group and version exist but whose resource does not. */
export function unknownResource(): StatusError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** 409: `pods "x" already exists`. */
export function alreadyExists(resource: GroupResource, name: string): StatusError {
  const details = resourceDetails(resource, name);
  return failure(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, details);
}

/** 409: `Operation cannot be fulfilled on pods "x": …`; the default cause is a stale resourceVersion. */
export function conflict(
  resource: GroupResource,
  name: string,
  cause = 'the object has been modified; please apply your changes to the latest version and try again',
): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${cause}`;
  return failure(409, 'Conflict', message, resourceDetails(resource, name));
}

/** 403: `nodes "x" is forbidden: …`; an empty name leaves the name out. */
export function forbidden(resource: GroupResource, name: string, cause: string): StatusError {
  const subject = name === '' ? qualified(resource) : `${qualified(resource)} "${name}"`;
  const text = resource.plural === '' ? `forbidden: ${cause}` : `${subject} is forbidden: ${cause}`;
  return failure(403, 'Forbidden', text, resourceDetails(resource, name));
}

/** 422: `Widget.ex.io "w" is invalid: spec.size: Invalid value: …` with one cause per field error. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const qualifiedKind = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const list = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  return failure(422, 'Invalid', `${qualifiedKind} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.kind,
    causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
  });
}

/** 400 with the message as it is. */
export function badRequest(message: string): StatusError {
  return failure(400, 'BadRequest', message);
}

/** 401. */
export function unauthorized(): StatusError {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

/** 405: `patch is not supported on resources of kind "pods"`. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind "${qualified(resource)}"`;
  return failure(405, 'MethodNotAllowed', message, resourceDetails(resource, ''));
}

/** 405 of a method that no verb answers. */
export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return failure(405, 'MethodNotAllowed', message, {});
}

/** 406 listing what can be produced. */
export function notAcceptable(mediaTypes: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${mediaTypes.join(', ')}`;
  return failure(406, 'NotAcceptable', message);
}

/** 415 listing what can be read. */
export function unsupportedMediaType(mediaTypes: readonly string[]): StatusError {
  const accepted = mediaTypes.join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return failure(415, 'UnsupportedMediaType', message);
}

/** 413. */
export function entityTooLarge(limitBytes: number): StatusError {
  const message = `Request entity too large: limit is ${limitBytes}`;
  return failure(413, 'RequestEntityTooLarge', message);
}

/** 410: the revision is compacted. `continueToken` starts an inconsistent rest of the list. */
export function expired(message: string, continueToken?: string): StatusError {
  const error = failure(410, 'Expired', message);
  if (continueToken === undefined) return error;
  return new StatusError({ ...error.status, metadata: { continue: continueToken } });
}

/** 504: the client knows a revision that this server has not reached. */
export function revisionTooLarge(wanted: number, current: number): StatusError {
  const message = `Too large resource version: ${wanted}, current: ${current}`;
  return failure(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** 429 with the time to wait. */
export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  cause?: { readonly reason: string; readonly message: string },
): StatusError {
  return failure(429, 'TooManyRequests', message, {
    ...(cause === undefined ? {} : { causes: [cause] }),
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });
}

/** 500: `Internal error occurred: …`. */
export function internalError(cause: string): StatusError {
  return failure(500, 'InternalError', `Internal error occurred: ${cause}`, {
    causes: [{ message: cause }],
  });
}
