import { authenticatedGroup, unauthenticatedGroup } from '../auth/authenticator.ts';
import { denial } from '../auth/denial.ts';
import type { Authorizer, RequestAttributes, User } from '../contract.ts';
import { badRequest } from '../status/status-errors.ts';

/** The `Impersonate-*` headers of a request. */
export type ImpersonationHeaders = {
  readonly user?: string;
  readonly groups: readonly string[];
  readonly uid?: string;
};

const serviceAccount = /^system:serviceaccount:([^:]+):([^:]+)$/;

function attributesFor(user: User, headers: ImpersonationHeaders): RequestAttributes[] {
  const base = { user, verb: 'impersonate' };
  const name = headers.user ?? '';
  const [, namespace, account] = serviceAccount.exec(name) ?? [];
  const wanted: RequestAttributes[] = [
    namespace !== undefined && account !== undefined
      ? { ...base, resource: 'serviceaccounts', namespace, name: account }
      : { ...base, resource: 'users', name },
  ];
  for (const group of headers.groups) wanted.push({ ...base, resource: 'groups', name: group });
  if (headers.uid !== undefined) {
    const uid = { apiGroup: 'authentication.k8s.io', resource: 'uids', name: headers.uid };
    wanted.push({ ...base, ...uid });
  }
  return wanted;
}

function groupsOf(headers: ImpersonationHeaders): readonly string[] {
  const [, namespace] = serviceAccount.exec(headers.user ?? '') ?? [];
  const groups =
    headers.groups.length === 0 && namespace !== undefined
      ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
      : headers.groups;
  const own = headers.user === 'system:anonymous' ? unauthenticatedGroup : authenticatedGroup;
  return groups.includes(own) ? groups : [...groups, own];
}

/**
 * The user that a request acts as: `user` itself without headers. Throws 403 when one of the asked
 * identities may not be taken on.
 */
export function impersonate(
  user: User,
  headers: ImpersonationHeaders,
  authorizer: Authorizer,
): User {
  if (headers.user === undefined && headers.groups.length === 0 && headers.uid === undefined) {
    return user;
  }
  if (headers.user === undefined) {
    throw badRequest(`requested ${JSON.stringify(headers)} without impersonating a user`);
  }
  for (const attributes of attributesFor(user, headers)) {
    const { allowed, reason } = authorizer.authorize(attributes);
    if (!allowed) throw denial(attributes, reason);
  }
  return {
    name: headers.user,
    groups: groupsOf(headers),
    ...(headers.uid === undefined ? {} : { uid: headers.uid }),
  };
}
