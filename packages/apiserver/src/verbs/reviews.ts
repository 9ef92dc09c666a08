import type {
  Authenticator,
  Authorizer,
  RequestAttributes,
  StoredObject,
  User,
} from '../contract.ts';
import { type Answer, json } from '../http/answer.ts';
import { readObject, readPath, readStrings, readText } from '../registry/read-path.ts';
import { badRequest, invalid } from '../status/status-errors.ts';
import { parseBody, pruneBody } from '../wire/decode-body.ts';
import { fieldValidationOf, type ResourceCall, writeContext } from './resource-call.ts';

/** Who answers reviews. */
export type Reviewers = { readonly authenticator: Authenticator; readonly authorizer: Authorizer };

function userOf(spec: unknown): User {
  const extra = readObject(spec, 'extra');
  const uid = readText(spec, 'uid');
  return {
    name: readText(spec, 'user'),
    groups: readStrings(spec, 'groups'),
    ...(uid === '' ? {} : { uid }),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, readStrings(extra, key)])),
  };
}

function attributesOf(spec: unknown, user: User): RequestAttributes {
  const path = readPath(spec, 'nonResourceAttributes');
  if (path !== undefined) {
    return { user, verb: readText(path, 'verb'), path: readText(path, 'path') };
  }
  const resource = readObject(spec, 'resourceAttributes');
  const optional = (name: string) => {
    const value = readText(resource, name);
    return value === '' ? {} : { [name]: value };
  };
  return {
    user,
    verb: readText(resource, 'verb'),
    apiGroup: readText(resource, 'group'),
    apiVersion: readText(resource, 'version') || '*',
    resource: readText(resource, 'resource'),
    ...optional('subresource'),
    ...optional('namespace'),
    ...optional('name'),
  };
}

function accessStatus(reviewers: Reviewers, spec: unknown, user: User) {
  const hasResource = readPath(spec, 'resourceAttributes') !== undefined;
  const hasPath = readPath(spec, 'nonResourceAttributes') !== undefined;
  if (hasResource === hasPath) {
    throw badRequest(
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    );
  }
  const { allowed, reason } = reviewers.authorizer.authorize(attributesOf(spec, user));
  return { allowed, ...(reason === '' ? {} : { reason }) };
}

function rulesStatus(reviewers: Reviewers, call: ResourceCall, spec: unknown) {
  const namespace = readText(spec, 'namespace');
  if (namespace === '') throw badRequest('no namespace on request');
  const rules = reviewers.authorizer.rulesFor?.(call.user, namespace);
  if (rules === undefined) return { incomplete: true, resourceRules: [], nonResourceRules: [] };
  return { ...rules, incomplete: false };
}

function userInfo(user: User) {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}

async function tokenStatus(reviewers: Reviewers, spec: unknown) {
  const bearerToken = readText(spec, 'token');
  if (bearerToken === '') throw badRequest('token is required for TokenReview in authentication');
  const user = await reviewers.authenticator.authenticate({ bearerToken });
  return user === undefined
    ? { error: 'token is not valid' }
    : { authenticated: true, user: userInfo(user) };
}

function subjectOf(call: ResourceCall, review: StoredObject): User {
  const user = userOf(review['spec']);
  if (user.name !== '' || user.groups.length > 0) return user;
  const message = 'Invalid value: "": at least one of user or group must be specified';
  throw invalid(call.definition, '', [
    { reason: 'FieldValueInvalid', field: 'spec.user', message },
  ]);
}

function statusOf(reviewers: Reviewers, call: ResourceCall, review: StoredObject): unknown {
  const spec = review['spec'];
  switch (call.definition.kind) {
    case 'SelfSubjectAccessReview':
      return accessStatus(reviewers, spec, call.user);
    case 'SubjectAccessReview':
      return accessStatus(reviewers, spec, subjectOf(call, review));
    case 'LocalSubjectAccessReview':
      if (readText(spec, 'resourceAttributes', 'namespace') !== call.at.namespace) {
        throw badRequest('spec.resourceAttributes.namespace must match namespace');
      }
      return accessStatus(reviewers, spec, subjectOf(call, review));
    case 'SelfSubjectRulesReview':
      return rulesStatus(reviewers, call, spec);
    case 'SelfSubjectReview':
      return { userInfo: userInfo(call.user) };
    default:
      return tokenStatus(reviewers, spec);
  }
}

/** POST of a review: asks and answers, stores nothing. */
export async function createReview(reviewers: Reviewers, call: ResourceCall): Promise<Answer> {
  const { typeName } = call.definition.schema;
  const { warnings } = writeContext(call, 'CreateOptions');
  const validation = fieldValidationOf(call, 'CreateOptions');
  const raw = parseBody(call.body, call.contentType, {
    ...(typeName === undefined ? {} : { typeName }),
    checkDuplicates: validation !== 'Ignore',
  });
  const review = pruneBody(call.definition, raw, { validation, warnings });
  const status = await statusOf(reviewers, call, review);
  return json(201, { ...review, status }, warnings);
}
