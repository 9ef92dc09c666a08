import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  defaultObjects,
  machineConfigPools,
  machineConfigurationDefinitions,
  validatingWebhookConfigurations,
} from '@slipway/api';
import { silentLogger, systemClock } from '@slipway/base';
import { MemoryApi } from '../testing/memory-api.ts';
import type { WebhookAddress } from './apply-webhook.ts';
import { install } from './install.ts';

const established = { conditions: [{ type: 'Established', status: 'True' as const }] };

/** An API that serves definitions as soon as they exist. */
async function cluster(change: (given: CustomResourceDefinition) => CustomResourceDefinition) {
  const api = new MemoryApi(systemClock);
  for (const definition of machineConfigurationDefinitions)
    await api.create(customResourceDefinitions, { ...change(definition), status: established });
  const run = (address: WebhookAddress = { url: 'https://127.0.0.1:1' }) =>
    install({
      client: api,
      clock: systemClock,
      logger: silentLogger,
      webhook: { address, caPem: 'pem' },
      signal: new AbortController().signal,
    });
  return { api, run };
}

test('an older definition is brought up to date, and what we do not declare stays', async () => {
  const { api, run } = await cluster((given) => ({
    ...given,
    spec: { ...given.spec, versions: [], conversion: { strategy: 'None' } },
  }));
  await run();
  for (const { metadata, spec } of machineConfigurationDefinitions) {
    const live = api.peek(customResourceDefinitions, metadata?.name ?? '');
    assert.deepEqual(live?.spec.versions, spec.versions);
    assert.deepEqual(live?.spec.conversion, { strategy: 'None' });
  }
  const before = api
    .all(customResourceDefinitions)
    .map(({ metadata }) => metadata?.resourceVersion);
  await run();
  const after = api.all(customResourceDefinitions).map(({ metadata }) => metadata?.resourceVersion);
  assert.deepEqual(after, before, 'nothing is written when nothing changed');
});

test('default objects are created when absent and never overwritten', async () => {
  const { api, run } = await cluster((given) => given);
  await run();
  for (const { resource, object } of defaultObjects())
    assert.ok(api.peek(resource, object.metadata?.name ?? '') !== undefined);
  await api.patch(machineConfigPools, 'worker', { body: { spec: { maxUnavailable: 3 } } });
  await api.delete(machineConfigPools, 'master');
  await run();
  assert.equal(api.peek(machineConfigPools, 'worker')?.spec?.maxUnavailable, 3);
  assert.ok(api.peek(machineConfigPools, 'master') !== undefined);
});

test('the webhook is registered where it is now', async () => {
  const { api, run } = await cluster((given) => given);
  await run();
  await run({ service: { namespace: 'kube-system', name: 'slipway' } });
  const [live] = api.all(validatingWebhookConfigurations);
  assert.deepEqual(live?.webhooks?.[0]?.clientConfig, {
    service: { namespace: 'kube-system', name: 'slipway', path: '/validate' },
    caBundle: Buffer.from('pem').toString('base64'),
  });
});
