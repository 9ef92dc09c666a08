import type {
  Authorizer,
  Decision,
  LocalAccess,
  RequestAttributes,
  ResourceCatalogue,
  User,
  UserRules,
} from '../contract.ts';
import { NodeAuthorizer } from './node-authorizer.ts';
import { ruleAllows } from './policy-rule.ts';
import type { RbacIndex } from './rbac-index.ts';

export const mastersGroup = 'system:masters';

type ResourceRule = UserRules['resourceRules'][number];
type PathRule = UserRules['nonResourceRules'][number];

function rulesFor(index: RbacIndex, user: User, namespace: string): UserRules {
  const resourceRules: ResourceRule[] = [];
  const nonResourceRules: PathRule[] = [];
  if (user.groups.includes(mastersGroup)) {
    resourceRules.push({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    nonResourceRules.push({ verbs: ['*'], nonResourceURLs: ['*'] });
  }
  for (const { rule } of index.grants(user, namespace)) {
    const {
      verbs,
      nonResourceURLs = [],
      apiGroups = [],
      resources = [],
      resourceNames = [],
    } = rule;
    if (resources.length > 0) {
      const names = resourceNames.length === 0 ? {} : { resourceNames };
      resourceRules.push({ verbs, apiGroups, resources, ...names });
    }
    if (nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs });
  }
  return { resourceRules, nonResourceRules };
}

function rbacDecision(index: RbacIndex, attributes: RequestAttributes): Decision {
  for (const { rule, source } of index.grants(attributes.user, attributes.namespace ?? '')) {
    if (ruleAllows(rule, attributes)) return { allowed: true, reason: source };
  }
  return { allowed: false, reason: '' };
}

export type AuthorizerOptions = {
  readonly catalogue: ResourceCatalogue;
  readonly access: LocalAccess;
  readonly index: RbacIndex;
};

/** Administrators, then nodes, then roles; what none of them allows is denied. */
export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const nodes = new NodeAuthorizer(options.catalogue, options.access);
  return {
    authorize(attributes) {
      if (attributes.user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
      const node = nodes.authorize(attributes);
      if (node.allowed) return node;
      const role = rbacDecision(options.index, attributes);
      return role.allowed ? role : node;
    },
    rulesFor: (user, namespace) => rulesFor(options.index, user, namespace),
  };
}
