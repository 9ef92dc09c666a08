import type { PolicyRule } from '@slipway/api';
import { compareBytes, jsonEqual } from '@slipway/base';
import { mastersGroup } from '../auth/authorizer.ts';
import { uncovered } from '../auth/policy-rule.ts';
import { type RbacIndex, rbacGroup, roleRefOf, rulesOf } from '../auth/rbac-index.ts';
import type { AdmissionPlugin, AdmissionRequest, Authorizer } from '../contract.ts';
import { refusal } from './refusal.ts';

export type EscalationOptions = { readonly authorizer: Authorizer; readonly index: RbacIndex };

function describeRule(rule: PolicyRule): string {
  const list = (name: string, values: readonly string[] | undefined) =>
    values === undefined || values.length === 0
      ? []
      : [`${name}:[${values.map((value) => JSON.stringify(value)).join(' ')}]`];
  const parts = [
    ...list('APIGroups', rule.apiGroups),
    ...list('Resources', rule.resources),
    ...list('ResourceNames', rule.resourceNames),
    ...list('NonResourceURLs', rule.nonResourceURLs),
    ...list('Verbs', rule.verbs),
  ];
  return `{${parts.join(', ')}}`;
}

function isExempt(
  request: AdmissionRequest,
  verb: 'escalate' | 'bind',
  target: { readonly plural: string; readonly namespace: string; readonly name: string },
  authorizer: Authorizer,
): boolean {
  if (request.user.groups.includes(mastersGroup)) return true;
  const { allowed } = authorizer.authorize({
    user: request.user,
    verb,
    apiGroup: rbacGroup,
    resource: target.plural,
    name: target.name,
    ...(target.namespace === '' ? {} : { namespace: target.namespace }),
  });
  return allowed;
}

function refuseUncovered(
  request: AdmissionRequest,
  wanted: readonly PolicyRule[],
  index: RbacIndex,
): void {
  const { user, namespace = '' } = request;
  const owned = [...index.grants(user, namespace)].map(({ rule }) => rule);
  const missing = uncovered(owned, wanted);
  if (missing.length === 0) return;
  const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
  const lines = [...new Set(missing.map(describeRule))].sort(compareBytes).join('\n');
  throw refusal(
    request,
    `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${lines}`,
  );
}

function checkRole(request: AdmissionRequest, { authorizer, index }: EscalationOptions): void {
  const { object, oldObject, namespace = '', definition, name } = request;
  const unchanged =
    oldObject !== undefined &&
    jsonEqual(object?.['rules'], oldObject['rules']) &&
    jsonEqual(object?.['aggregationRule'], oldObject['aggregationRule']);
  if (unchanged) return;
  const target = { plural: definition.plural, namespace, name };
  if (isExempt(request, 'escalate', target, authorizer)) return;
  if (object?.['aggregationRule'] !== undefined) {
    refuseUncovered(request, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], index);
  }
  refuseUncovered(request, rulesOf(object), index);
}

function checkBinding(request: AdmissionRequest, { authorizer, index }: EscalationOptions): void {
  const { object, oldObject, namespace = '' } = request;
  if (object === undefined) return;
  if (oldObject !== undefined && jsonEqual(object['subjects'], oldObject['subjects'])) return;
  const reference = roleRefOf(object);
  const isCluster = reference.kind === 'ClusterRole';
  const target = {
    plural: isCluster ? 'clusterroles' : 'roles',
    namespace,
    name: reference.name,
  };
  if (isExempt(request, 'bind', target, authorizer)) return;
  refuseUncovered(request, index.rulesOfRole(reference, namespace), index);
}

/** Nobody grants what they do not have, unless they may `escalate` or `bind`. */
export function createEscalationCheck(options: EscalationOptions): AdmissionPlugin {
  return {
    name: 'RBACEscalation',
    async validate(request) {
      const { definition, operation } = request;
      if (definition.group !== rbacGroup) return [];
      if (operation !== 'CREATE' && operation !== 'UPDATE') return [];
      if (definition.plural.endsWith('roles')) checkRole(request, options);
      else checkBinding(request, options);
      return [];
    },
  };
}
