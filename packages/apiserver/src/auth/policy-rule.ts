import type { PolicyRule } from '@slipway/api';
import type { RequestAttributes } from '../contract.ts';

const all = '*';

function matchesVerb(rule: PolicyRule, verb: string): boolean {
  return rule.verbs.includes(all) || rule.verbs.includes(verb);
}

function matchesGroup(rule: PolicyRule, group: string): boolean {
  return (rule.apiGroups ?? []).some((entry) => entry === all || entry === group);
}

/** `pods`, `pods/status`, `*`, and any resource's subresource as `*` + `/status`. */
function matchesResource(rule: PolicyRule, resource: string, subresource: string): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return (rule.resources ?? []).some(
    (entry) =>
      entry === all ||
      entry === combined ||
      (subresource !== '' && entry === `${all}/${subresource}`),
  );
}

function matchesName(rule: PolicyRule, name: string): boolean {
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(name);
}

function matchesPath(rule: PolicyRule, path: string): boolean {
  return (rule.nonResourceURLs ?? []).some(
    (entry) =>
      entry === all ||
      entry === path ||
      (entry.endsWith(all) && path.startsWith(entry.slice(0, -1))),
  );
}

/** Terms of a field selector that demand equality: `metadata.name=a,spec.nodeName=b`. */
export function equalityTerms(fieldSelector: string | undefined): ReadonlyMap<string, string> {
  const terms = new Map<string, string>();
  for (const term of (fieldSelector ?? '').split(/(?<!\\),/)) {
    const match = /^([^=!\\]+)==?([^=]*)$/.exec(term);
    if (match?.[1] !== undefined) terms.set(match[1], (match[2] ?? '').replace(/\\(.)/g, '$1'));
  }
  return terms;
}

/** Verbs on collections that a selector by name narrows to one object. */
const narrowable: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** The object that a request is about; list and watch may name it in their field selector. */
export function nameOf(attributes: RequestAttributes): string {
  if (attributes.name !== undefined && attributes.name !== '') return attributes.name;
  if (!narrowable.has(attributes.verb)) return '';
  return equalityTerms(attributes.fieldSelector).get('metadata.name') ?? '';
}

/** True when the rule allows the request. */
export function ruleAllows(rule: PolicyRule, attributes: RequestAttributes): boolean {
  if (!matchesVerb(rule, attributes.verb)) return false;
  if (attributes.path !== undefined) return matchesPath(rule, attributes.path);
  return (
    matchesGroup(rule, attributes.apiGroup ?? '') &&
    matchesResource(rule, attributes.resource ?? '', attributes.subresource ?? '') &&
    matchesName(rule, nameOf(attributes))
  );
}

function resourcePieces(rule: PolicyRule, verb: string): PolicyRule[] {
  const names = rule.resourceNames ?? [];
  const pieces = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).map((resource) => ({
      verbs: [verb],
      apiGroups: [group],
      resources: [resource],
    })),
  );
  if (names.length === 0) return pieces;
  return pieces.flatMap((piece) => names.map((name) => ({ ...piece, resourceNames: [name] })));
}

/** One rule per verb, group, resource and name, so that coverage can be decided piece by piece. */
function breakDown(rule: PolicyRule): PolicyRule[] {
  return rule.verbs.flatMap((verb) => [
    ...(rule.nonResourceURLs ?? []).map((url) => ({ verbs: [verb], nonResourceURLs: [url] })),
    ...resourcePieces(rule, verb),
  ]);
}

function coversResource(owner: PolicyRule, resource: string): boolean {
  const [plural = '', subresource = ''] = resource.split('/');
  if (resource === all) return (owner.resources ?? []).includes(all);
  return matchesResource(owner, plural, subresource);
}

/** True when `owner` grants all that the single-valued `piece` does. */
function covers(owner: PolicyRule, piece: PolicyRule): boolean {
  const has = (list: readonly string[] | undefined, value: string) =>
    (list ?? []).some((entry) => entry === all || entry === value);
  if (!piece.verbs.every((verb) => has(owner.verbs, verb))) return false;
  const [url] = piece.nonResourceURLs ?? [];
  if (url !== undefined) return matchesPath(owner, url);
  const [name] = piece.resourceNames ?? [];
  const names = owner.resourceNames ?? [];
  return (
    (piece.apiGroups ?? []).every((group) => has(owner.apiGroups, group)) &&
    (piece.resources ?? []).every((resource) => coversResource(owner, resource)) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
}

/** The pieces of `wanted` that no rule of `owned` grants. */
export function uncovered(
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly PolicyRule[] {
  return wanted.flatMap(breakDown).filter((piece) => !owned.some((owner) => covers(owner, piece)));
}
