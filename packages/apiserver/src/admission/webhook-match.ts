import type {
  AdmissionRequest,
  LocalAccess,
  ResourceCatalogue,
  ResourceDefinition,
} from '../contract.ts';
import { matchesLabelSelector } from '../request/object-selector.ts';
import { type Webhook, type WebhookRule, webhookGroup } from './webhook-types.ts';

const all = '*';

function includes(list: readonly string[], value: string): boolean {
  return list.includes(all) || list.includes(value);
}

function splitResource(text: string): readonly [string, string] {
  const slash = text.indexOf('/');
  return slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
}

function matchesResource(rule: WebhookRule, plural: string, subresource: string): boolean {
  return rule.resources.some((entry) => {
    const [resource, sub] = splitResource(entry);
    return (resource === all || resource === plural) && (sub === all || sub === subresource);
  });
}

function matchesScope(rule: WebhookRule, namespaced: boolean): boolean {
  const scope = rule.scope ?? all;
  return scope === all || (scope === 'Namespaced') === namespaced;
}

/** Whether one rule is about the request, seen as `definition` (a version of its resource). */
export function ruleMatches(
  rule: WebhookRule,
  request: Pick<AdmissionRequest, 'operation' | 'subresource'>,
  definition: ResourceDefinition,
): boolean {
  return (
    includes(rule.operations, request.operation) &&
    includes(rule.apiGroups, definition.group) &&
    includes(rule.apiVersions, definition.version) &&
    matchesResource(rule, definition.plural, request.subresource ?? '') &&
    matchesScope(rule, definition.namespaced)
  );
}

function versionsOf(
  request: AdmissionRequest,
  webhook: Webhook,
  catalogue: ResourceCatalogue,
): readonly ResourceDefinition[] {
  const { definition } = request;
  if (webhook.matchPolicy === 'Exact') return [definition];
  const others = catalogue
    .all()
    .filter(({ group, plural }) => group === definition.group && plural === definition.plural)
    .filter(({ version }) => version !== definition.version);
  return [definition, ...others];
}

function namespaceMatches(
  request: AdmissionRequest,
  webhook: Webhook,
  catalogue: ResourceCatalogue,
  access: LocalAccess,
): boolean {
  const selector = webhook.namespaceSelector ?? {};
  const { definition, namespace } = request;
  if (definition.group === '' && definition.plural === 'namespaces') {
    const object = request.object ?? request.oldObject;
    return matchesLabelSelector(selector, object?.metadata.labels);
  }
  if (!definition.namespaced || namespace === undefined) return true;
  const namespaces = catalogue.find('', 'v1', 'namespaces');
  const object = namespaces && access.get(namespaces, undefined, namespace);
  return matchesLabelSelector(selector, object?.metadata.labels);
}

function objectMatches(request: AdmissionRequest, webhook: Webhook): boolean {
  const selector = webhook.objectSelector ?? {};
  return [request.object, request.oldObject].some(
    (object) => object !== undefined && matchesLabelSelector(selector, object.metadata.labels),
  );
}

/** The configurations themselves are never sent: a broken webhook could not be repaired otherwise. */
function isExempt(definition: ResourceDefinition): boolean {
  return definition.group === webhookGroup;
}

/**
 * The version of the request's resource that the webhook wants to see; undefined: it is not asked.
 * Match conditions come after this.
 */
export function matchWebhook(
  request: AdmissionRequest,
  webhook: Webhook,
  catalogue: ResourceCatalogue,
  access: LocalAccess,
): ResourceDefinition | undefined {
  if (isExempt(request.definition)) return undefined;
  const seen = versionsOf(request, webhook, catalogue).find((definition) =>
    (webhook.rules ?? []).some((rule) => ruleMatches(rule, request, definition)),
  );
  if (seen === undefined) return undefined;
  const selected =
    namespaceMatches(request, webhook, catalogue, access) && objectMatches(request, webhook);
  return selected ? seen : undefined;
}
