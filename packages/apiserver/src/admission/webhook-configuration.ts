import type { Expressions } from '../cel/expressions.ts';
import type { AdmissionPlugin, FieldError } from '../contract.ts';
import {
  duplicate,
  forbidden,
  invalid as invalidField,
  notSupported,
  required,
} from '../schema/field-errors.ts';
import { invalid } from '../status/status-errors.ts';
import { compileCondition } from './match-conditions.ts';
import { isAbout } from './refusal.ts';
import { type Webhook, webhookGroup, webhookPlural, webhooksOf } from './webhook-types.ts';

const operations = ['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const scopes = ['*', 'Cluster', 'Namespaced'];
const sideEffects = ['None', 'NoneOnDryRun'];

function checkUrl(url: string, path: string): FieldError[] {
  const form = 'desired format: https://host[:port]/path';
  const parsed = URL.parse(url);
  if (parsed === null) return [required(path, `url must be a valid URL; ${form}`)];
  const errors: FieldError[] = [];
  if (parsed.protocol !== 'https:') {
    const detail = `'https' is the only allowed URL scheme; ${form}`;
    errors.push(invalidField(path, parsed.protocol.slice(0, -1), detail));
  }
  if (parsed.username !== '' || parsed.password !== '') {
    const detail = 'user information is not permitted in the URL';
    errors.push(invalidField(path, parsed.username, detail));
  }
  if (parsed.hash !== '') {
    errors.push(invalidField(path, parsed.hash, 'fragments are not permitted in the URL'));
  }
  if (parsed.search !== '') {
    const detail = 'query parameters are not permitted in the URL';
    errors.push(invalidField(path, parsed.search, detail));
  }
  return errors;
}

function checkClient({ clientConfig }: Webhook, path: string): FieldError[] {
  const where = `${path}.clientConfig`;
  const { url, service, caBundle } = clientConfig;
  if ((url === undefined) === (service === undefined)) {
    return [required(where, 'exactly one of url or service is required')];
  }
  const errors: FieldError[] = [];
  if (service !== undefined) {
    const detail = 'this server has no service network; use clientConfig.url';
    errors.push(forbidden(`${where}.service`, detail));
  }
  if (url !== undefined) errors.push(...checkUrl(url, `${where}.url`));
  if (caBundle !== undefined && caBundle !== '') {
    const pem = Buffer.from(caBundle, 'base64').toString('latin1');
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
      const detail = 'unable to load root certificates: unable to parse bytes as PEM block';
      errors.push(invalidField(`${where}.caBundle`, caBundle, detail));
    }
  }
  return errors;
}

function checkRules(webhook: Webhook, path: string): FieldError[] {
  return (webhook.rules ?? []).flatMap((rule, index) => {
    const where = `${path}.rules[${index}]`;
    const errors: FieldError[] = [];
    for (const member of ['operations', 'apiGroups', 'apiVersions', 'resources'] as const) {
      if (rule[member].length === 0) errors.push(required(`${where}.${member}`));
    }
    for (const [at, operation] of rule.operations.entries()) {
      if (!operations.includes(operation)) {
        errors.push(notSupported(`${where}.operations[${at}]`, operation, operations));
      }
    }
    if (rule.scope !== undefined && !scopes.includes(rule.scope)) {
      errors.push(notSupported(`${where}.scope`, rule.scope, scopes));
    }
    return errors;
  });
}

function checkConditions(webhook: Webhook, path: string, expressions: Expressions): FieldError[] {
  return (webhook.matchConditions ?? []).flatMap(({ name, expression }, index) => {
    const where = `${path}.matchConditions[${index}]`;
    const errors = name === '' ? [required(`${where}.name`)] : [];
    const { problem } = compileCondition(expression, expressions);
    if (problem === undefined) return errors;
    const detail = `compilation failed: ${problem}`;
    return [...errors, invalidField(`${where}.expression`, expression, detail)];
  });
}

function checkWebhook(webhook: Webhook, path: string): FieldError[] {
  const errors = [...checkClient(webhook, path), ...checkRules(webhook, path)];
  if (webhook.name.split('.').length < 3) {
    const detail = 'should be a domain with at least three segments separated by dots';
    errors.push(invalidField(`${path}.name`, webhook.name, detail));
  }
  if (!webhook.admissionReviewVersions.includes('v1')) {
    const detail = 'must include at least one of v1';
    const versions = webhook.admissionReviewVersions;
    errors.push(invalidField(`${path}.admissionReviewVersions`, versions, detail));
  }
  if (!sideEffects.includes(webhook.sideEffects)) {
    errors.push(notSupported(`${path}.sideEffects`, webhook.sideEffects, sideEffects));
  }
  const { timeoutSeconds } = webhook;
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalidField(`${path}.timeoutSeconds`, timeoutSeconds, detail));
  }
  return errors;
}

/** Judges ValidatingWebhookConfigurations, so that what is stored can be called. */
export function createWebhookConfigurationCheck(
  expressions: () => Promise<Expressions>,
): AdmissionPlugin {
  return {
    name: 'ValidatingWebhookConfiguration',
    async validate(request) {
      const { object } = request;
      if (!isAbout(request, webhookGroup, webhookPlural) || object === undefined) return [];
      const webhooks = webhooksOf(object);
      const errors = webhooks.flatMap((webhook, index) =>
        checkWebhook(webhook, `webhooks[${index}]`),
      );
      for (const [index, webhook] of webhooks.entries()) {
        const path = `webhooks[${index}]`;
        if (webhooks.findIndex(({ name }) => name === webhook.name) !== index) {
          errors.push(duplicate(`${path}.name`, webhook.name));
        }
        if ((webhook.matchConditions ?? []).length > 0) {
          errors.push(...checkConditions(webhook, path, await expressions()));
        }
      }
      if (errors.length > 0) throw invalid(request.definition, request.name, errors);
      return [];
    },
  };
}
