import { defaultObjects } from '@slipway/api';
import type { Clock, Logger } from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import { applyAccess } from './access.ts';
import { applyDefinitions } from './apply-definitions.ts';
import { applyWebhook, type WebhookAddress } from './apply-webhook.ts';
import { createMissing } from './create-missing.ts';

export type InstallOptions = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: no admission webhook is registered. */
  readonly webhook?: { readonly address: WebhookAddress; readonly caPem: string };
  readonly signal: AbortSignal;
};

/**
 * Brings a cluster to the point where controllers can run: definitions served, webhook registered (before
 * the first object of ours is written, for an old registration may point nowhere), rights given, and the
 * default objects created where they are absent.
 */
export async function install(options: InstallOptions): Promise<void> {
  const { client, clock, logger, webhook, signal } = options;
  await Promise.all([applyDefinitions(client, clock, signal), applyAccess(client)]);
  if (webhook !== undefined) await applyWebhook(client, webhook);
  for (const { resource, object } of defaultObjects())
    if (await createMissing(client, resource, object))
      logger.info('default object created', { kind: object.kind, name: object.metadata?.name });
}
