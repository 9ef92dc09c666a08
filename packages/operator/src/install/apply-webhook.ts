import {
  machineConfigNodes,
  machineConfigPools,
  machineConfigs,
  machineConfigurationGroup,
  machineConfigurations,
  machineConfigurationVersion,
  type ValidatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from '@slipway/api';
import { jsonEqual } from '@slipway/base';
import type { KubeClient } from '@slipway/kube';
import { createMissing } from './create-missing.ts';

const configurationName = `validate.${machineConfigurationGroup}`;

/** Where the API server reaches the webhook: an address, or a Service of the cluster. */
export type WebhookAddress =
  | { readonly url: string }
  | {
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        readonly port?: number;
      };
    };

/** Path of the one endpoint. */
export const webhookPath = '/validate';

type Webhook = NonNullable<ValidatingWebhookConfiguration['webhooks']>[number];
type Target = { readonly address: WebhookAddress; readonly caPem: string };

function clientConfig({ address, caPem }: Target): Webhook['clientConfig'] {
  const caBundle = Buffer.from(caPem).toString('base64');
  return 'url' in address
    ? { url: `${address.url}${webhookPath}`, caBundle }
    : { service: { ...address.service, path: webhookPath }, caBundle };
}

function webhook(name: string, resources: readonly string[], target: Target): Webhook {
  return {
    name: `${name}.${machineConfigurationGroup}`,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(target),
    rules: [
      {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: [machineConfigurationGroup],
        apiVersions: [machineConfigurationVersion],
        resources,
        scope: 'Cluster',
      },
    ],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: 10,
  };
}

/** The registration of the webhook: what is declared, and what daemons write under their node's name. */
export function webhookConfiguration(target: Target): ValidatingWebhookConfiguration {
  const declared = [machineConfigs, machineConfigPools, machineConfigurations];
  const plural = machineConfigNodes.plural;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: validatingWebhookConfigurations.kind,
    metadata: { name: configurationName },
    webhooks: [
      webhook(
        'declared',
        declared.map((resource) => resource.plural),
        target,
      ),
      {
        ...webhook('nodes', [plural, `${plural}/status`], target),
        matchConditions: [
          {
            name: 'written-by-a-node',
            expression: "request.userInfo.username.startsWith('system:node:')",
          },
        ],
      },
    ],
  };
}

/** Registers the webhook, or points an existing registration to where it is now. */
export async function applyWebhook(client: KubeClient, target: Target): Promise<void> {
  const wanted = webhookConfiguration(target);
  if (await createMissing(client, validatingWebhookConfigurations, wanted)) return;
  const live = await client.get(validatingWebhookConfigurations, configurationName);
  if (jsonEqual(live.webhooks, wanted.webhooks)) return;
  await client.patch(validatingWebhookConfigurations, configurationName, {
    type: 'merge',
    body: { webhooks: wanted.webhooks },
  });
}
