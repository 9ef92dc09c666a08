import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, suite, test } from 'node:test';
import {
  createCertificateAuthority,
  dayMs,
  encodePrivateKey,
  issueCertificate,
} from '@slipway/pki';
import { type ResourceDefinition, StatusError } from '../contract.ts';
import { admin, startBench } from '../local-bench.test.ts';
import { ruleMatches } from './webhook-match.ts';
import type { WebhookRule } from './webhook-types.ts';

type Answer = (request: Record<string, unknown>) => object | undefined;

const validity = { now: Date.now(), validityMs: dayMs };
const authority = await createCertificateAuthority({ commonName: 'webhook', validity });

/** A real HTTPS server that answers AdmissionReviews; `undefined` never answers. */
async function startWebhook(answer: { current: Answer }) {
  const { certificatePem, key } = await issueCertificate(authority, {
    subject: { commonName: 'webhook' },
    ipAddresses: ['127.0.0.1'],
    usages: ['server'],
    validity,
  });
  const requests: Record<string, unknown>[] = [];
  const sockets = new Set<unknown>();
  const server: Server = createServer(
    { cert: certificatePem, key: encodePrivateKey(key).reveal() },
    async (incoming, outgoing) => {
      sockets.add(incoming.socket);
      let body = '';
      for await (const chunk of incoming) body += chunk;
      const { request } = JSON.parse(body);
      requests.push(request);
      const response = answer.current(request);
      if (response === undefined) return;
      outgoing.end(
        JSON.stringify({
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: request.uid, ...response },
        }),
      );
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/validate`,
    requests,
    sockets,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function configuration(name: string, webhook: object) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        rules: [
          {
            operations: ['CREATE'],
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['configmaps'],
          },
        ],
        ...webhook,
      },
    ],
  };
}

async function outcome(work: Promise<unknown>): Promise<{ message: string; code: number }> {
  try {
    await work;
    return { message: 'allowed', code: 200 };
  } catch (error) {
    if (error instanceof StatusError) return { message: error.message, code: error.status.code };
    throw error;
  }
}

suite('validating webhooks', async () => {
  const answer: { current: Answer } = { current: () => ({ allowed: true }) };
  const webhook = await startWebhook(answer);
  const bench = await startBench();
  after(async () => {
    await bench[Symbol.asyncDispose]();
    webhook.close();
  });
  const caBundle = Buffer.from(authority.certificatePem).toString('base64');
  const definition = bench.definition(
    'admissionregistration.k8s.io',
    'validatingwebhookconfigurations',
  );
  let made = 0;
  const configMap = (labels: object = {}, namespace = 'default') => {
    made += 1;
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${made}`, namespace, labels },
    };
  };
  async function asked(hook: object, object: object, reply: Answer) {
    answer.current = reply;
    await bench.create(
      configuration('hook', { clientConfig: { url: webhook.url, caBundle }, ...hook }),
    );
    const before = webhook.requests.length;
    const result = await outcome(bench.create(object));
    await bench.access.delete(definition, undefined, 'hook');
    return { ...result, asked: webhook.requests.length - before };
  }

  test('an allowed request, with all that is said about it', async () => {
    const result = await asked({}, configMap({ a: 'b' }), () => ({ allowed: true }));
    assert.deepEqual(result, { message: 'allowed', code: 200, asked: 1 });
    const { uid, object, ...request } = webhook.requests.at(-1) ?? {};
    assert.match(String(uid), /^[0-9a-f-]{36}$/);
    assert.equal((object as { kind: string }).kind, 'ConfigMap');
    assert.deepEqual(request, {
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: `c${made}`,
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      oldObject: null,
      dryRun: false,
      options: null,
    });
  });

  const denials = [
    {
      name: 'with a message',
      status: { code: 422, message: 'no' },
      want: { code: 422, message: 'admission webhook "hook.example.com" denied the request: no' },
    },
    {
      name: 'with a reason',
      status: { reason: 'Nope' },
      want: { code: 400, message: 'admission webhook "hook.example.com" denied the request: Nope' },
    },
    {
      name: 'without a word',
      status: undefined,
      want: {
        code: 400,
        message: 'admission webhook "hook.example.com" denied the request without explanation',
      },
    },
  ];
  for (const { name, status, want } of denials) {
    test(`denied ${name}`, async () => {
      const { message, code } = await asked({}, configMap(), () => ({ allowed: false, status }));
      assert.deepEqual({ message, code }, want);
    });
  }

  test('a dry run is asked about, and says that it is one', async () => {
    answer.current = () => ({ allowed: true });
    await bench.create(configuration('dry', { clientConfig: { url: webhook.url, caBundle } }));
    const configMaps = bench.definition('', 'configmaps');
    const { object } = configMaps.schema.prune(configMap());
    const context = { user: admin, dryRun: true, warnings: [] };
    await bench.writer.create(configMaps, 'default', object, context);
    await bench.access.delete(definition, undefined, 'dry');
    assert.equal(webhook.requests.at(-1)?.['dryRun'], true);
  });

  test('warnings go out', async () => {
    answer.current = () => ({ allowed: true, warnings: ['old'] });
    await bench.create(configuration('warn', { clientConfig: { url: webhook.url, caBundle } }));
    const warnings: string[] = [];
    const configMaps = bench.definition('', 'configmaps');
    await bench.writer.create(configMaps, 'default', configMaps.schema.prune(configMap()).object, {
      user: admin,
      dryRun: false,
      warnings,
    });
    await bench.access.delete(definition, undefined, 'warn');
    assert.deepEqual(warnings, ['old']);
  });

  const matching = [
    {
      name: 'object selector',
      hook: { objectSelector: { matchLabels: { a: 'b' } } },
      labels: {},
      want: 0,
    },
    {
      name: 'object selector that matches',
      hook: { objectSelector: { matchLabels: { a: 'b' } } },
      labels: { a: 'b' },
      want: 1,
    },
    {
      name: 'namespace selector',
      hook: {
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['default'] },
          ],
        },
      },
      labels: {},
      want: 0,
    },
    {
      name: 'condition',
      hook: {
        matchConditions: [{ name: 'x', expression: "request.userInfo.username != 'admin'" }],
      },
      labels: {},
      want: 0,
    },
    {
      name: 'condition that matches',
      hook: {
        matchConditions: [{ name: 'x', expression: "object.metadata.name.startsWith('c')" }],
      },
      labels: {},
      want: 1,
    },
  ];
  for (const { name, hook, labels, want } of matching) {
    test(`asked or not: ${name}`, async () => {
      const result = await asked(hook, configMap(labels), () => ({ allowed: true }));
      assert.deepEqual(result, { message: 'allowed', code: 200, asked: want });
    });
  }

  const failures = [
    {
      name: 'wrong uid',
      reply: () => ({ uid: 'x', allowed: true }),
      hook: {},
      want: /failed calling webhook "hook\.example\.com": expected response\.uid/,
    },
    {
      name: 'untrusted',
      reply: () => ({ allowed: true }),
      hook: { clientConfig: { url: webhook.url } },
      want: /failed to call webhook: Post "https:\/\/127\.0\.0\.1:\d+\/validate": /,
    },
    {
      name: 'unreachable',
      reply: () => ({ allowed: true }),
      hook: { clientConfig: { url: 'https://127.0.0.1:1/x', caBundle } },
      want: /ECONNREFUSED/,
    },
    {
      name: 'silent',
      reply: () => undefined,
      hook: { timeoutSeconds: 1 },
      want: /context deadline exceeded$/,
    },
  ];
  for (const { name, reply, hook, want } of failures) {
    test(`failure: ${name}`, async () => {
      const { message, code } = await asked(hook, configMap(), reply);
      assert.match(message, want);
      assert.match(message, /^Internal error occurred: failed calling webhook/);
      assert.equal(code, 500);
    });
    if (name === 'silent') continue;
    test(`failure that is ignored: ${name}`, async () => {
      const { message } = await asked({ ...hook, failurePolicy: 'Ignore' }, configMap(), reply);
      assert.equal(message, 'allowed');
    });
  }

  test('connections are kept', async () => {
    webhook.sockets.clear();
    await asked({}, configMap(), () => ({ allowed: true }));
    await asked({}, configMap(), () => ({ allowed: true }));
    assert.equal(webhook.sockets.size, 1);
  });

  const invalidConfigurations = [
    {
      name: 'service',
      hook: { clientConfig: { service: { namespace: 'a', name: 'b' } } },
      want: /webhooks\[0\]\.clientConfig\.service: Forbidden: this server has no service network/,
    },
    {
      name: 'plain http',
      hook: { clientConfig: { url: 'http://x/' } },
      want: /'https' is the only allowed URL scheme/,
    },
    {
      name: 'condition',
      hook: {
        clientConfig: { url: 'https://x/' },
        matchConditions: [{ name: 'x', expression: "authorizer.group('x')" }],
      },
      want: /undeclared reference to 'authorizer/,
    },
    {
      name: 'side effects',
      hook: { clientConfig: { url: 'https://x/' }, sideEffects: 'Some' },
      want: /sideEffects: Unsupported value: "Some"/,
    },
  ];
  for (const { name, hook, want } of invalidConfigurations) {
    test(`configuration refused: ${name}`, async () => {
      const { message, code } = await outcome(bench.create(configuration('bad', hook)));
      assert.match(message, want);
      assert.equal(code, 422);
    });
  }
});

suite('webhook rules', () => {
  const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true } as ResourceDefinition;
  const rule = (more: Partial<WebhookRule>): WebhookRule => ({
    operations: ['*'],
    apiGroups: ['*'],
    apiVersions: ['*'],
    resources: ['*'],
    ...more,
  });
  const cases: { given: Partial<WebhookRule>; subresource?: string; want: boolean }[] = [
    { given: {}, want: true },
    { given: {}, subresource: 'status', want: false },
    { given: { resources: ['*/*'] }, subresource: 'status', want: true },
    { given: { resources: ['pods/*'] }, want: true },
    { given: { resources: ['pods/status'] }, subresource: 'status', want: true },
    { given: { resources: ['pods/status'] }, want: false },
    { given: { resources: ['*/status'] }, subresource: 'status', want: true },
    { given: { operations: ['DELETE'] }, want: false },
    { given: { apiGroups: ['apps'] }, want: false },
    { given: { apiVersions: ['v2'] }, want: false },
    { given: { scope: 'Cluster' }, want: false },
    { given: { scope: 'Namespaced' }, want: true },
  ];
  for (const { given, subresource, want } of cases) {
    test(`${JSON.stringify(given)} ${subresource ?? ''}`, () => {
      const request = {
        operation: 'CREATE' as const,
        ...(subresource === undefined ? {} : { subresource }),
      };
      assert.equal(ruleMatches(rule(given), request, pods), want);
    });
  }
});
