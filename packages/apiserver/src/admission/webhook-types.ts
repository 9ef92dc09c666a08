import type { ValidatingWebhookConfiguration } from '@slipway/api';
import { isJsonObject } from '@slipway/base';
import type {
  LocalAccess,
  ResourceCatalogue,
  ResourceDefinition,
  StoredObject,
} from '../contract.ts';

export const webhookGroup = 'admissionregistration.k8s.io';
export const webhookPlural = 'validatingwebhookconfigurations';

/** One entry of a ValidatingWebhookConfiguration. */
export type Webhook = NonNullable<ValidatingWebhookConfiguration['webhooks']>[number];
export type WebhookRule = NonNullable<Webhook['rules']>[number];

/** The kind of ValidatingWebhookConfiguration, when it is served. */
export function webhookDefinition(catalogue: ResourceCatalogue): ResourceDefinition | undefined {
  return catalogue.find(webhookGroup, 'v1', webhookPlural);
}

function isWebhook(value: unknown): value is Webhook {
  return (
    isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['clientConfig'])
  );
}

/** The webhooks of a stored configuration. */
export function webhooksOf(configuration: StoredObject): readonly Webhook[] {
  const { webhooks } = configuration;
  return Array.isArray(webhooks) ? webhooks.filter(isWebhook) : [];
}

/** All webhooks, configurations by name and entries in their order. */
export function allWebhooks(catalogue: ResourceCatalogue, access: LocalAccess): readonly Webhook[] {
  const definition = webhookDefinition(catalogue);
  return definition === undefined ? [] : access.list(definition).flatMap(webhooksOf);
}
