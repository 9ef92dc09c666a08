import type { RequestAttributes } from '../contract.ts';
import { forbidden } from '../status/status-errors.ts';

/** Upstream's words for what a user may not do. */
export function describeDenial(attributes: RequestAttributes, reason: string): string {
  const { user, verb, path, apiGroup = '', resource = '', subresource = '' } = attributes;
  const tail = reason === '' ? '' : `: ${reason}`;
  if (path !== undefined) {
    return `User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}${tail}`;
  }
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where =
    attributes.namespace === undefined || attributes.namespace === ''
      ? 'at the cluster scope'
      : `in the namespace "${attributes.namespace}"`;
  return `User ${JSON.stringify(user.name)} cannot ${verb} resource "${what}" in API group "${apiGroup}" ${where}${tail}`;
}

/** The 403 for a request that the authorizer denied. */
export function denial(attributes: RequestAttributes, reason: string) {
  const resource = { group: attributes.apiGroup ?? '', plural: attributes.resource ?? '' };
  return forbidden(resource, attributes.name ?? '', describeDenial(attributes, reason));
}
