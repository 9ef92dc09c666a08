import type { Logger } from '@slipway/base';
import type { Expressions } from '../cel/expressions.ts';
import {
  type AdmissionPlugin,
  type AdmissionRequest,
  type LocalAccess,
  type ResourceCatalogue,
  type ResourceDefinition,
  StatusError,
} from '../contract.ts';
import { internalError } from '../status/status-errors.ts';
import { evaluateConditions } from './match-conditions.ts';
import type { WebhookClient } from './webhook-client.ts';
import { matchWebhook } from './webhook-match.ts';
import {
  type ReviewRequest,
  readReview,
  reviewRequest,
  reviewVersion,
  webhookDenial,
} from './webhook-review.ts';
import { allWebhooks, type Webhook } from './webhook-types.ts';

export type ValidatingWebhooksOptions = {
  readonly catalogue: ResourceCatalogue;
  readonly access: LocalAccess;
  readonly logger: Logger;
  readonly client: WebhookClient;
  readonly expressions: () => Promise<Expressions>;
};

const defaultTimeoutSeconds = 10;
const noWarnings: readonly string[] = [];

function ignoresFailure(webhook: Webhook): boolean {
  return webhook.failurePolicy === 'Ignore';
}

function callFailure(webhook: Webhook, error: unknown): StatusError {
  const cause = error instanceof Error ? error.message : String(error);
  return internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${cause}`);
}

async function post(
  webhook: Webhook,
  request: ReviewRequest,
  client: WebhookClient,
): Promise<string> {
  const { url, caBundle } = webhook.clientConfig;
  if (url === undefined) {
    throw new Error('failed to call webhook: services are not served here; use clientConfig.url');
  }
  const review = { kind: 'AdmissionReview', apiVersion: reviewVersion, request };
  try {
    return await client.post({
      url,
      authorities: caBundle ? Buffer.from(caBundle, 'base64').toString('utf8') : undefined,
      body: JSON.stringify(review),
      timeoutMs: (webhook.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
    });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to call webhook: ${cause}`, { cause: error });
  }
}

/** Asks the webhooks that a request concerns, all at once. */
class WebhookRound {
  readonly #options: ValidatingWebhooksOptions;
  readonly #request: AdmissionRequest;

  constructor(options: ValidatingWebhooksOptions, request: AdmissionRequest) {
    this.#options = options;
    this.#request = request;
  }

  /** Warnings of the webhook. Throws StatusError when it refuses, or fails and must not. */
  async ask(webhook: Webhook, seen: ResourceDefinition): Promise<readonly string[]> {
    const review = reviewRequest(this.#request, seen);
    if (!(await this.#isWanted(webhook, review))) return noWarnings;
    try {
      const answer = readReview(await post(webhook, review, this.#options.client), review.uid);
      if (answer.allowed) return answer.warnings;
      throw webhookDenial(webhook.name, answer.status);
    } catch (error) {
      if (error instanceof StatusError) throw error;
      return this.#fail(webhook, error);
    }
  }

  async #isWanted(webhook: Webhook, review: ReviewRequest): Promise<boolean> {
    if ((webhook.matchConditions ?? []).length === 0) return true;
    const verdict = evaluateConditions(webhook, review, await this.#options.expressions());
    if (verdict.error === undefined) return verdict.matches;
    if (ignoresFailure(webhook)) return false;
    const { definition, name } = this.#request;
    throw internalError(
      `${definition.plural} ${JSON.stringify(name)}: match conditions of webhook ${JSON.stringify(webhook.name)}: ${verdict.error}`,
    );
  }

  #fail(webhook: Webhook, error: unknown): readonly string[] {
    if (!ignoresFailure(webhook)) throw callFailure(webhook, error);
    this.#options.logger.warn('webhook failed and is ignored', { webhook: webhook.name, error });
    return noWarnings;
  }
}

/**
 * Calls the webhooks of ValidatingWebhookConfigurations that a request concerns, dry runs included:
 * v1 only admits webhooks without side effects on those.
 */
export function createValidatingWebhooks(options: ValidatingWebhooksOptions): AdmissionPlugin {
  const { catalogue, access } = options;
  return {
    name: 'ValidatingAdmissionWebhook',
    async validate(request) {
      const round = new WebhookRound(options, request);
      const calls = allWebhooks(catalogue, access).flatMap((webhook) => {
        const seen = matchWebhook(request, webhook, catalogue, access);
        return seen === undefined ? [] : [round.ask(webhook, seen)];
      });
      const results = await Promise.allSettled(calls);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
  };
}
